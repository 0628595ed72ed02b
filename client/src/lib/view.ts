/** Which screen a snapshot calls for, and small questions about it. No rules: only what is shown. */

import type { Card, CardKind, Part, Player, Round, RoundState, Snapshot, Standing, Viewer } from './protocol';

export type View = 'lobby' | 'table' | 'reveal' | 'boundary' | 'end';

const REVEALED = new Set<RoundState>(['REVEALED_TIMELINE', 'REVEALED_FULL', 'REVEALED']);
const TERMINAL = new Set<RoundState>(['REVEALED_FULL', 'REVEALED']);
const WAITING = new Set<RoundState>(['WAITING_FOR_DJ', 'READY']);

const isRevealed = (round: Round | null): boolean => !!round && REVEALED.has(round.state);
export const isTerminal = (round: Round | null): boolean => !!round && TERMINAL.has(round.state);
export const isWaiting = (round: Round | null): boolean => !!round && WAITING.has(round.state);

/** `seen`: the number of a revealed round that this person has looked at and left. */
export function viewOf(snapshot: Snapshot, seen: number | null): View {
  if (snapshot.state === 'LOBBY') return 'lobby';
  if (snapshot.state === 'FINISHED') return 'end';
  const { round, cycle } = snapshot;
  const boundary = cycle?.state === 'BOUNDARY_DECISION';
  if (boundary && (!isRevealed(round) || round?.number === seen)) return 'boundary';
  return isRevealed(round) ? 'reveal' : 'table';
}

/** Which face of the table a player sees while a round goes on: null once it is revealed. */
export function faceOf(round: Round | null, viewer: Viewer | null): 'waiting' | 'oracle' | 'guess' | null {
  if (isWaiting(round)) return 'waiting';
  if (round?.state !== 'GUESSING' && round?.state !== 'LOCKED') return null;
  return viewer?.is_leader && !round.submitted[viewer.player] ? 'oracle' : 'guess';
}

/** A name in large type: "Ann-Charlotte" is not parted at its hyphen (U+2060, a joiner without width). */
export const unbroken = (name: string): string => name.replaceAll('-', '\u2060-\u2060');

/** Letters of the longest word: large type is set so that it fits. */
export const longestWord = (text: string): number => Math.max(...text.replaceAll('\u2060', '').split(/\s+/).map((word) => word.length));

/** "Maja" → "MA", "Ann-Charlotte" → "AC", "Anna 2" → "A2". */
export function initials(name: string): string {
  const words = name.trim().split(/[\s\-_.]+/).filter(Boolean);
  const letters = words.length > 1 ? words.slice(0, 2).map((w) => [...w][0]) : [...(words[0] ?? '?')].slice(0, 2);
  return letters.join('').toUpperCase();
}

export const isSide = (kind: CardKind | null): boolean => kind === 'dj' || kind === 'oracle';

/** Who guesses, as the server says: they are those whose parts it counts. */
export function guessersOf(snapshot: Snapshot): Player[] {
  return snapshot.players.filter((p) => snapshot.round?.submitted[p.id]);
}

const PARTS: Part[] = ['placement', 'title', 'artist'];

/** How many have sent a part in. */
export function sent(snapshot: Snapshot, part: Part): number {
  const submitted = snapshot.round?.submitted ?? {};
  return guessersOf(snapshot).filter((p) => submitted[p.id]?.includes(part)).length;
}

export function isDone(snapshot: Snapshot, player: string): boolean {
  return PARTS.every((part) => snapshot.round?.submitted[player]?.includes(part));
}

/** Who of those who are connected still has something to send. */
export function waitedFor(snapshot: Snapshot, connected: readonly string[]): Player[] {
  return guessersOf(snapshot).filter(
    (p) => !isDone(snapshot, p.id) && (p.bot || connected.includes(p.id)),
  );
}

/** Rows of a result table: the viewer first, then as around the table. */
export function resultRows(snapshot: Snapshot, me: string | null): Player[] {
  const results = snapshot.round?.results ?? {};
  const rows = snapshot.players.filter((p) => results[p.id]);
  return rows.sort((a, b) => Number(b.id === me) - Number(a.id === me));
}

/** The ranking; until there is one, how it stands, numbered the same way: unofficial, as the server says. */
export function places(snapshot: Snapshot): { player: Player; cards: number; tiebreak: number; place: number; shared: boolean }[] {
  const listed: readonly (Standing & { place?: number })[] = snapshot.ranking ?? snapshot.standings;
  const rows = listed
    .map((s) => ({ ...s, player: snapshot.players.find((p) => p.id === s.player) }))
    .filter((s): s is typeof s & { player: Player } => !!s.player)
    .sort((a, b) => b.cards - a.cards || b.tiebreak - a.tiebreak);
  const same = (a: (typeof rows)[number], b: (typeof rows)[number]) =>
    a.cards === b.cards && a.tiebreak === b.tiebreak;
  return rows.map((row) => ({
    player: row.player,
    cards: row.cards,
    tiebreak: row.tiebreak,
    place: row.place ?? rows.findIndex((other) => same(other, row)) + 1,
    shared: rows.filter((other) => same(other, row)).length > 1,
  }));
}

/** Who is at the table without a place: all of them, if there is no ranking. */
export const unranked = (snapshot: Snapshot): readonly Player[] =>
  snapshot.players.filter((p) => !snapshot.ranking?.some((row) => row.player === p.id));

/** Won in a lap that was not finished, as the server says. */
export const isUncounted = (card: Card, counted: readonly number[]): boolean =>
  card.cycle != null && !counted.includes(card.cycle);

/** Whether anybody at the end holds a card that does not count. */
export function anyUncounted(snapshot: Snapshot): boolean {
  return snapshot.players.some((p) => [...p.timeline, ...p.side_cards].some((c) => isUncounted(c, snapshot.counted_cycles)));
}

/** Years of the timeline that count as points in the strip, with the joker's decade if there is one. */
export function yearsShown(timeline: readonly Card[], decade: { from: number } | null): number[] {
  return [...timeline.map((c) => c.year), ...(decade ? [decade.from] : [])];
}
