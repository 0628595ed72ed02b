/** Arrow keys in a radio group: the focus moves on and comes round again. */

type Steps = Readonly<Record<string, number>>;
export const LINE: Steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
export const PAIRS: Steps = { ...LINE, ArrowDown: 2, ArrowUp: -2 };

export function rove(event: KeyboardEvent, steps: Steps = LINE): void {
  const step = steps[event.key];
  if (!step) return;
  event.preventDefault();
  const nodes = Array.from((event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role="radio"]'));
  const at = nodes.indexOf(event.target as HTMLElement);
  nodes[(at + step + nodes.length) % nodes.length]?.focus();
}
