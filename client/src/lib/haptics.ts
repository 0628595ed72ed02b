/** Vibration, where it exists (Android). */
const PATTERNS = { tap: 12, land: [14, 40, 26], turn: [30, 60, 30] } as const;

export function buzz(kind: keyof typeof PATTERNS): void {
  try {
    navigator.vibrate?.(PATTERNS[kind] as number | number[]);
  } catch {
    // Some browsers refuse before the first touch.
  }
}
