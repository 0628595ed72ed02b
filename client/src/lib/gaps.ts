/** The gaps of a timeline: what is on either side, and how to say it. Judging is the server's. */

export interface Gap {
  left: number | null;
  right: number | null;
}

type Dated = { year: number };

export function gapAt(cards: readonly Dated[], position: number): Gap {
  return {
    left: cards[position - 1]?.year ?? null,
    right: cards[position]?.year ?? null,
  };
}

/** The gap that a year falls into, as wide as equal years allow. */
export function gapOf(cards: readonly Dated[], year: number): Gap {
  const left = cards.filter((card) => card.year <= year).at(-1)?.year ?? null;
  const right = cards.find((card) => card.year > year)?.year ?? null;
  return { left, right };
}

export function gapText(gap: Gap, words: { before: string; after: string }): string {
  if (gap.left === null && gap.right === null) return '';
  if (gap.left === null) return `${words.before} ${gap.right}`;
  if (gap.right === null) return `${words.after} ${gap.left}`;
  return gap.left === gap.right ? String(gap.left) : `${gap.left}–${gap.right}`;
}

/** The gap whose middle is nearest a point, from their screen positions. */
export function nearest(middles: readonly number[], x: number): number {
  let best = 0;
  middles.forEach((middle, i) => {
    if (Math.abs(middle - x) < Math.abs((middles[best] ?? Infinity) - x)) best = i;
  });
  return best;
}
