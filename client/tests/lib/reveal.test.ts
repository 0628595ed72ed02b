import { beforeAll, describe, expect, it } from 'vitest';
import { announcements } from '../../src/lib/announce';
import { lapArcs, seatAt } from '../../src/lib/arcs';
import { highlights, daringOf, longestStreak } from '../../src/lib/highlights';
import { language } from '../../src/lib/i18n/index.svelte';
import type { Round } from '../../src/lib/protocol';
import { beforeNames, landing, outcome, placeText, verdict } from '../../src/lib/reveal';
import { layout, spineWidth } from '../../src/lib/share';
import { make, result } from '../fixtures/build';
import { sampleHistory, STATES } from '../fixtures/states';

beforeAll(() => language.use('sv'));

const get = (name: string) => {
  const s = STATES[name]?.();
  if (!s) throw new Error(name);
  return s;
};
const round = (name: string) => get(name).snapshot.round as Round;

describe('a verdict', () => {
  it.each([[true, true, 'yes'], [false, true, 'no'], [false, false, 'none'], [null, false, 'shut']] as const)('%s, answered %s: %s', (right, answered, mark) =>
    expect(verdict(right, answered)).toBe(mark));
});

describe('what a reveal says', () => {
  const say = (name: string, i: number) => {
    const s = get(name).snapshot;
    const me = s.players[i];
    const mine = me && s.round?.results?.[me.id];
    if (!me || !mine || !s.round) throw new Error(name);
    return { ...outcome(me, mine, s.round), at: landing(me, mine.card, s.round), place: placeText(me, mine, s.round.number) };
  };

  it('a right place, with a joker for both names', () =>
    expect(say('reveal', 0)).toMatchObject({ title: 'Rätt plats!', text: 'Kortet är ditt. Titel och artist gav en joker.', at: { left: 1984, year: 1991, right: 1994, kind: 'in' } }));
  it('a wrong place, and where it belonged', () =>
    expect(say('reveal', 4)).toMatchObject({ title: 'Fel plats', text: 'Den hörde hemma mellan 1986 och 1992.', at: { kind: 'lost' }, place: 'Före 1979' }));
  it('a full house in dj', () => expect(say('dj-full', 0).text).toBe('Kortet är ditt. Alla tre rätt: en stjärna och en joker.'));
  it('a card by names alone', () => expect(say('dj-full', 1)).toMatchObject({ title: 'Fel plats', text: 'Titel och artist gav kortet.' }));
  it('a DJ card beside the timeline', () => expect(say('dj-full', 4)).toMatchObject({ text: 'Du får ett DJ-kort.', at: { kind: 'side' } }));
  it('no card placed', () => expect(say('dj-full', 3).title).toBe('Inget kort lagt'));
});

describe('the second dj reveal', () => {
  it('first shows only what the first one did', () => {
    const before = beforeNames(round('dj-full')).results ?? {};
    const known = round('dj-year').results ?? {};
    for (const id of Object.keys(known)) {
      expect(before[id]).toMatchObject({ placement: known[id]?.placement, title: null, artist: null, star: null, joker_won: null, card: known[id]?.card });
    }
  });
});

describe('what is read aloud', () => {
  it('nothing on the first state', () => expect(announcements(null, get('guess').snapshot, null)).toEqual([]));
  it('the start of a round', () =>
    expect(announcements(make({ state: 'READY' }).snapshot, make().snapshot, null)).toEqual(['Rundan har börjat. Lyssna och gissa.']));
  it('unlocking is not starting', () =>
    expect(announcements(make({ state: 'LOCKED' }).snapshot, make().snapshot, null)).toEqual(['Upplåst. Du får gissa igen.']));
  it('a change of song', () =>
    expect(announcements(make().snapshot, make({ roundPart: { performance: 2 } }).snapshot, null)).toEqual(['Låten byttes. Börja om.']));
  it('the answer, and how it went for me', () => {
    const s = get('reveal');
    expect(announcements(make({ state: 'LOCKED' }).snapshot, s.snapshot, s.viewer)).toEqual(['Året är 1991.', 'Joyride med Roxette.', 'Rätt plats!']);
  });
  it('in dj the year first and the names after', () => {
    const year = get('dj-year').snapshot;
    expect(announcements(get('dj-locked').snapshot, year, null)).toEqual(['Året är 1991.']);
    expect(announcements(year, get('dj-full').snapshot, null)).toEqual(['Joyride med Roxette.']);
  });
  it('who came and who left', () => {
    const five = make({ players: 5 }).snapshot;
    const four = make({ players: 4 }).snapshot;
    expect(announcements(four, five, null)).toEqual(['Sixten är med.']);
    expect(announcements(five, four, null)).toEqual(['Sixten är inte längre med.']);
  });
  it('an aborted round', () => {
    const after = get('ready-lead').snapshot;
    const before = make({ round: 6 }).snapshot;
    expect(announcements(before, after, null)[0]).toContain('avbröts');
  });
});

describe('highlights', () => {
  it('the longest streak breaks on a miss and skips rounds not guessed in', () => {
    const h = sampleHistory();
    const row = (placement: boolean) => ({ ...round('reveal'), results: { p1: result({ placement }) } });
    const rounds = [row(true), row(true), { ...round('reveal'), results: {} }, row(true), row(false), row(true)];
    expect(longestStreak({ ...h, rounds: rounds.map((r) => ({ cycle: 1, round: r })) }, 'p1')).toBe(3);
  });

  it('the most daring place is the narrowest gap, as it was then', () => {
    expect(daringOf([
      { kind: 'song', year: 1980, round: 1 }, { kind: 'song', year: 1990, round: 3 }, { kind: 'song', year: 1991, round: 2 }, { kind: 'start', year: 1995 },
    ])).toEqual({ year: 1990, left: 1980, right: 1991 });
    expect(daringOf([{ kind: 'start', year: 1990 }, { kind: 'song', year: 1999, round: 1 }])).toBeNull();
  });

  it('takes no courage to lay a card beside its own year', () => {
    expect(daringOf([
      { kind: 'song', year: 1990, round: 1 }, { kind: 'song', year: 1990, round: 2 }, { kind: 'start', year: 1995 },
    ])).toBeNull();
  });

  it('come together for a whole game', () => {
    const found = highlights(get('end').snapshot, sampleHistory());
    expect(found.streak).toEqual({ names: ['Maja', 'Ann-Charlotte'], length: 4 });
    expect(found.oracle).toEqual({ names: ['Bo'], right: 4, of: 4 });
    expect(found.stars).toBeNull();
    expect(found.daring).not.toBeNull();
  });
});

describe('highlights that are shared', () => {
  const row = (right: string[]) => ({
    cycle: 1,
    round: { ...round('reveal'), results: Object.fromEntries(['p1', 'p2', 'p3', 'p4', 'p5'].map((id) => [id, result({ placement: right.includes(id) })])) },
  });
  const of = (...rounds: string[][]) => highlights(get('end').snapshot, { ...sampleHistory(), rounds: rounds.map(row) }).streak;

  it('name everyone who has them', () => {
    expect(of(['p1', 'p3'], ['p1', 'p3'])).toMatchObject({ names: ['Maja', get('end').snapshot.players[2]?.name], length: 2 });
  });

  it('are no highlights when nearly everyone has them', () => {
    const most = ['p1', 'p2', 'p3', 'p4'];
    expect(of(most, most)).toBeNull();
    expect(of(most, most, ['p1'])).toMatchObject({ names: ['Maja'], length: 3 });
  });
});

describe('drawing', () => {
  it('one notch per player: done, now, to come', () => {
    const cycle = make({ players: 5, leader: 1 }).snapshot.cycle;
    if (!cycle) throw new Error('no cycle');
    expect(lapArcs(cycle, 'p2').map((a) => a.kind)).toEqual(['done', 'now', 'to-come', 'to-come', 'to-come']);
  });
  it('seats go round, the upper ones with their names above', () => {
    expect(seatAt(0, 4)).toMatchObject({ up: true });
    expect(seatAt(1, 4).up).toBe(false);
  });
  it('a picture grows with its players, and a shelf holds any timeline', () => {
    expect(layout(10).height).toBeGreaterThan(layout(3).height);
    expect(spineWidth(4)).toBe(58);
    expect(spineWidth(40) * 40).toBeLessThan(1080);
  });
});
