/** How a reveal reads for one person: heading, sentence, and the picture of where the card went. */

import { gapAt, gapOf, gapText } from './gaps';
import { t } from './i18n/index.svelte';
import type { Card, Player, Result, Round } from './protocol';
import { isSide } from './view';

export type Verdict = 'yes' | 'no' | 'none' | 'shut';

export function verdict(right: boolean | null, answered: boolean): Verdict {
  if (right === null) return 'shut';
  if (right) return 'yes';
  return answered ? 'no' : 'none';
}

/** A timeline as it was when the guess was made. */
function timelineBefore(timeline: readonly Card[], round: number): Card[] {
  return timeline.filter((card) => card.round !== round);
}

export function placeText(player: Player, result: Result, round: number): string {
  const { placement } = result.guess;
  if (placement === null) return '–';
  return gapText(gapAt(timelineBefore(player.timeline, round), placement), { before: t.before, after: t.after });
}

export interface Outcome {
  title: string;
  text: string;
}

export function outcome(me: Player, result: Result, round: Round): Outcome {
  const year = round.answer?.year ?? 0;
  const title = result.placement ? t.rightPlace : result.guess.placement === null ? t.noPlace : t.wrongPlace;
  const { left, right } = gapOf(timelineBefore(me.timeline, round.number), year);
  const says: string[] = [];
  if (result.card && isSide(result.card)) says.push(t.cardDj);
  else if (result.card) says.push(result.placement ? t.cardYours : t.cardByNames);
  else says.push(t.cardWas(left, right));
  if (result.star) says.push(t.starFull);
  else if (result.joker_won) says.push(t.wonJoker);
  return { title, text: says.join(' ') };
}

export interface Landing {
  left: number | null;
  year: number;
  right: number | null;
  /** in: flies into the timeline; side: lies beside it; lost: it would have gone there. */
  kind: 'in' | 'side' | 'lost';
}

export function landing(me: Player, card: Result['card'], round: Round): Landing {
  const year = round.answer?.year ?? 0;
  if (isSide(card)) return { left: null, year, right: null, kind: 'side' };
  const at = me.timeline.findIndex((c) => c.round === round.number);
  if (card && at >= 0) {
    return { left: me.timeline[at - 1]?.year ?? null, year, right: me.timeline[at + 1]?.year ?? null, kind: 'in' };
  }
  return { ...gapOf(timelineBefore(me.timeline, round.number), year), year, kind: 'lost' };
}

/**
 * The second dj reveal a moment before its marks turn: what was known at the first one. The names
 * come out of the sleeve first, then who had them right.
 */
export function beforeNames(round: Round): Round {
  if (!round.results) return round;
  const results = Object.fromEntries(
    Object.entries(round.results).map(([id, r]) => [
      id,
      { ...r, title: null, artist: null, star: null, joker_won: null, jokers_used: null, card: r.placement ? r.card : null },
    ]),
  );
  return { ...round, results };
}
