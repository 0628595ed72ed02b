/** What changed, in words for those who listen. */

import { t } from './i18n/index.svelte';
import type { Snapshot, Viewer } from './protocol';
import { isTerminal } from './view';

export function announcements(before: Snapshot | null, after: Snapshot, viewer: Viewer | null): string[] {
  if (!before) return [];
  const said: string[] = [];
  const was = before.round;
  const is = after.round;
  for (const p of after.players) if (!before.players.some((q) => q.id === p.id)) said.push(t.joined(p.name));
  for (const p of before.players) if (!after.players.some((q) => q.id === p.id)) said.push(t.left(p.name));
  if (after.state === 'FINISHED' && before.state !== 'FINISHED') return [...said, t.sayEnd];
  if (!is) return said;
  if (is.number !== was?.number) {
    const ended = after.last_round;
    if (ended?.state === 'ABORTED' && ended.number === was?.number) {
      said.push(t.aborted[ended.aborted_because ?? 'HOST'] ?? t.abortedByHost);
    }
    said.push(t.sayRound(is.number, is.leader_name));
    return said;
  }
  if (is.state !== was?.state) {
    if (is.state === 'GUESSING') said.push(was?.state === 'LOCKED' ? t.sayUnlocked(after.edition) : t.sayGuessing);
    if (is.state === 'LOCKED') said.push(t.sayLocked);
    if (is.answer && !was?.answer) said.push(t.sayYear(is.answer.year));
    if (isTerminal(is) && is.answer?.title) said.push(t.saySong(is.answer.title, is.answer.artist ?? ''));
    const mine = viewer && is.results?.[viewer.player];
    if (mine && is.answer && !was?.answer) said.push(mine.placement ? t.rightPlace : t.wrongPlace);
  } else if (is.performance !== was?.performance) {
    said.push(t.sayNewSong);
  }
  return said;
}
