import { describe, expect, it } from 'vitest';
import { gapAt, gapOf, gapText, nearest } from '../../src/lib/gaps';

const cards = [{ year: 1967 }, { year: 1984 }, { year: 1984 }, { year: 2010 }];
const words = { before: 'Före', after: 'Efter' };

describe('gaps', () => {
  it.each([[0, 'Före 1967'], [1, '1967–1984'], [2, '1984'], [3, '1984–2010'], [4, 'Efter 2010']])('%i reads %s', (at, text) =>
    expect(gapText(gapAt(cards, at), words)).toBe(text));

  it('says nothing of an empty timeline', () => expect(gapText(gapAt([], 0), words)).toBe(''));

  it.each([[1950, null, 1967], [1984, 1984, 2010], [1990, 1984, 2010], [2024, 2010, null]])('%i falls between %s and %s', (year, left, right) =>
    expect(gapOf(cards, year)).toEqual({ left, right }));

  it('finds the nearest', () => {
    expect(nearest([10, 50, 90], 0)).toBe(0);
    expect(nearest([10, 50, 90], 69)).toBe(1);
    expect(nearest([10, 50, 90], 400)).toBe(2);
  });
});
