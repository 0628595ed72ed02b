/**
 * Cards make room sideways. Looks before the change at what can be seen, and gives back what to do
 * after it: of eighty things in a crate a dozen are looked at, and only those that moved move.
 */

import { still } from './motion';

const MARGIN = 160;
const GLIDE = { duration: 280, easing: 'cubic-bezier(.22, 1, .36, 1)' };

export function glide(crate: Element): () => void {
  if (still()) return () => {};
  const { left, right } = crate.getBoundingClientRect();
  const was = new Map<Element, number>();
  for (const item of crate.children) {
    const at = item.getBoundingClientRect();
    if (at.right > left - MARGIN && at.left < right + MARGIN) was.set(item, at.left);
  }
  return () => {
    const moves = [...was].map(([item, before]) => [item, before - item.getBoundingClientRect().left] as const);
    for (const [item, by] of moves) {
      if (by && item.isConnected) item.animate?.([{ transform: `translateX(${by}px)` }, { transform: 'none' }], GLIDE);
    }
  };
}
