/** Cards make room sideways. Only those that can be seen move; the rest is there at once. */

import { cubicOut } from 'svelte/easing';
import { still } from './motion';

const MARGIN = 160;

export function glide(_: Element, { from, to }: { from: DOMRect; to: DOMRect }) {
  const dx = from.left - to.left;
  const far = (x: number) => x < -MARGIN || x > innerWidth + MARGIN;
  if (still() || dx === 0 || (far(from.left) && far(to.left))) return { duration: 0 };
  return { duration: 280, easing: cubicOut, css: (_t: number, u: number) => `transform: translateX(${u * dx}px)` };
}
