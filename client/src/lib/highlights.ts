/** What to remember of a game: worked out from its history and its timelines. */

import type { Card, History, Player, Snapshot } from './protocol';
import { isTerminal } from './view';

export interface Highlights {
  streak: { names: string[]; length: number } | null;
  oracle: { names: string[]; right: number; of: number } | null;
  stars: { names: string[]; count: number } | null;
  daring: { name: string; year: number; left: number; right: number } | null;
  hardest: { title: string; year: number; right: number; of: number } | null;
}

/** The first of the largest; null when nothing is above the threshold. */
function best<T>(items: readonly T[], value: (item: T) => number, above: number): T | null {
  let found: T | null = null;
  for (const item of items) {
    if (value(item) > (found === null ? above : value(found))) found = item;
  }
  return found;
}

/** So many may share what is worth remembering; what nearly everyone did is not. */
const MOST = 3;

/** Everyone who has the largest; null when that is not above the threshold, or too many have it. */
function tops<T extends { name: string }>(items: readonly T[], value: (item: T) => number, above: number): (Omit<T, 'name'> & { names: string[] }) | null {
  const one = best(items, value, above);
  if (!one) return null;
  const names = items.filter((item) => value(item) === value(one)).map((item) => item.name);
  const { name: _, ...what } = one;
  return names.length > MOST ? null : { ...what, names };
}

/** Correct placements in a row, over the rounds that a player guessed in. */
export function longestStreak(history: History, player: string): number {
  let run = 0;
  let longest = 0;
  for (const { round } of history.rounds) {
    const result = isTerminal(round) ? round.results?.[player] : undefined;
    if (!result) continue;
    run = result.placement ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** The narrowest gap that a card was put into: its neighbours as they were in that round. */
export function daringOf(timeline: readonly Card[]): { year: number; left: number; right: number } | null {
  const found = timeline.flatMap((card, at) => {
    const { round } = card;
    if (card.kind === 'start' || round == null) return [];
    const earlier = (c: Card) => c.kind === 'start' || (c.round ?? Infinity) < round;
    const left = timeline.slice(0, at).filter(earlier).at(-1);
    const right = timeline.slice(at + 1).find(earlier);
    return left && right && left.year < card.year && card.year < right.year ? [{ year: card.year, left: left.year, right: right.year }] : [];
  });
  return best(found, (gap) => -(gap.right - gap.left), -Infinity);
}

export function highlights(snapshot: Snapshot, history: History): Highlights {
  const { players } = snapshot;
  const streaks = players.map((p) => ({ name: p.name, length: longestStreak(history, p.id) }));
  const rounds = history.rounds.map((r) => r.round).filter(isTerminal);
  const oracles = players.map((p) => {
    const led = rounds.filter((r) => r.leader === p.id && r.prediction !== null);
    return { name: p.name, right: led.filter((r) => r.prediction_correct).length, of: led.length };
  });
  const stars = players.map((p) => ({ name: p.name, count: starsOf(p) }));
  const dares = players.flatMap((p) => {
    const gap = daringOf(p.timeline);
    return gap ? [{ name: p.name, ...gap }] : [];
  });
  const songs = rounds.flatMap((r) => {
    const results = Object.values(r.results ?? {});
    if (!r.answer?.title || results.length === 0) return [];
    const right = results.filter((x) => x.placement).length;
    return [{ title: r.answer.title, year: r.answer.year, right, of: results.length }];
  });
  return {
    streak: tops(streaks, (s) => s.length, 1),
    // Of two who were right as often, the one who led less.
    oracle: tops(oracles, (o) => o.right - o.of / (rounds.length + 1), 0),
    stars: tops(stars, (s) => s.count, 0),
    daring: best(dares, (d) => -(d.right - d.left), -Infinity),
    hardest: best(songs, (s) => -s.right / s.of, -0.5),
  };
}

function starsOf(player: Player): number {
  return [...player.timeline, ...player.side_cards].filter((card) => card.star).length;
}
