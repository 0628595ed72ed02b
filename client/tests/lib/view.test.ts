import { describe, expect, it } from 'vitest';
import { anyUncounted, guessersOf, initials, isDone, isUncounted, longestWord, places, resultRows, sent, unbroken, unranked, viewOf, waitedFor } from '../../src/lib/view';
import { make } from '../fixtures/build';
import { STATES } from '../fixtures/states';

const state = (name: string) => {
  const found = STATES[name];
  if (!found) throw new Error(name);
  return found().snapshot;
};

describe('which screen', () => {
  it.each([
    ['lobby-host', 'lobby'], ['ready-lead', 'table'], ['guess', 'table'], ['locked', 'table'], ['reveal', 'reveal'],
    ['dj-year', 'reveal'], ['dj-full', 'reveal'], ['boundary-host', 'boundary'], ['end', 'end'], ['end-none', 'end'],
  ])('%s shows %s', (name, view) => expect(viewOf(state(name), null)).toBe(view));

  it('shows the last reveal of a lap until it has been looked at', () => {
    const s = make({ state: 'REVEALED', cycle: 'BOUNDARY_DECISION' }).snapshot;
    expect(viewOf(s, null)).toBe('reveal');
    expect(viewOf(s, 7)).toBe('boundary');
    expect(viewOf(s, 6)).toBe('reveal');
  });
});

describe('people', () => {
  it.each([['Maja', 'MA'], ['Ann-Charlotte', 'AC'], ['Anna 2', 'A2'], ['Ö', 'Ö'], ['lars-erik von x', 'LE'], ['', '?']])('%s is %s', (name, two) =>
    expect(initials(name)).toBe(two));

  it('counts those who guess: all in dj, all but the Oracle in oracle', () => {
    expect(guessersOf(make({ edition: 'dj' }).snapshot)).toHaveLength(5);
    expect(guessersOf(make().snapshot).map((p) => p.id)).not.toContain('p2');
  });

  it('knows who is done and who is waited for', () => {
    const s = make().snapshot;
    expect(sent(s, 'placement')).toBe(3);
    expect(isDone(s, 'p3')).toBe(true);
    expect(isDone(s, 'p1')).toBe(false);
    expect(waitedFor(s, ['p1', 'p3']).map((p) => p.id)).toEqual(['p1']);
  });

  it('puts the viewer first among the results', () => {
    expect(resultRows(state('reveal'), 'p5').map((p) => p.id)).toEqual(['p5', 'p1', 'p3', 'p4']);
  });
});

describe('names in large type', () => {
  it('are not parted, and are measured without what keeps them together', () => {
    expect(unbroken('Ann-Charlotte')).not.toBe('Ann-Charlotte');
    expect(unbroken('Ann-Charlotte').replaceAll('\u2060', '')).toBe('Ann-Charlotte');
    expect(longestWord(`${unbroken('Ann-Charlotte')} vinner!`)).toBe('Ann-Charlotte'.length);
  });
});

describe('places', () => {
  it('shares them as 1, 1, 3', () => {
    const rows = places(state('end'));
    expect(rows.map((r) => [r.place, r.shared])).toEqual([[1, true], [1, true], [3, false], [4, false], [5, false]]);
  });

  it('leaves out whoever is gone', () => {
    const s = make().snapshot;
    s.standings.push({ player: 'p99', cards: 40, tiebreak: 0 });
    expect(places(s).map((r) => r.player.id)).not.toContain('p99');
  });

  it('leaves out whoever came after the last lap, and says who', () => {
    const s = state('end');
    const [first, ...others] = s.ranking ?? [];
    expect(unranked(s)).toEqual([]);
    expect(unranked({ ...s, ranking: others }).map((p) => p.id)).toEqual([first?.player]);
    expect(unranked({ ...s, ranking: null })).toEqual(s.players);
  });
});

describe('a lap that was not finished', () => {
  const card = { kind: 'song', year: 1984, round: 7, cycle: 2 } as const;

  it('leaves cards that do not count; a start card belongs to no lap', () => {
    expect(isUncounted(card, [1])).toBe(true);
    expect(isUncounted(card, [1, 2])).toBe(false);
    expect(isUncounted({ kind: 'start', year: 1990 }, [])).toBe(false);
  });

  it('is said only where somebody holds such a card', () => {
    const s = state('end');
    const counted = [...new Set(s.players.flatMap((p) => p.timeline.map((c) => c.cycle ?? 1)))];
    expect(anyUncounted({ ...s, counted_cycles: counted })).toBe(false);
    expect(anyUncounted({ ...s, counted_cycles: [] })).toBe(true);
  });
});
