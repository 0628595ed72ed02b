/** Vibration, where it exists (Android). */
const PATTERNS = { tap: 12, land: [14, 40, 26], turn: [30, 60, 30] } as const;

export function buzz(kind: keyof typeof PATTERNS): void {
  // Before the first touch a browser refuses, and complains of having been asked.
  if (!navigator.userActivation?.hasBeenActive) return;
  try {
    navigator.vibrate?.(PATTERNS[kind] as number | number[]);
  } catch {
    // Not on this phone.
  }
}
