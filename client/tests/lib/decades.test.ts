import { describe, expect, it } from 'vitest';
import { decadeClass, decadeLong, decadeShort, ones, positionOn, scaleFor, segmentOf, ticksOn } from '../../src/lib/decades';
import { language } from '../../src/lib/i18n/index.svelte';

describe('decades', () => {
  it.each([
    [1949, 'dold'], [1950, 'd50'], [1999, 'd90'], [2000, 'd00'], [2019, 'd10'], [2029, 'd20'], [2031, 'd20'], [1609, 'dold'],
  ])('%i is %s', (year, name) => expect(decadeClass(year)).toBe(name));

  it.each([
    [1994, '90-tal', '90s'], [2003, '00-tal', '00s'], [1876, '1870-tal', '1870s'], [1949, '1940-tal', '1940s'],
  ])('%i is called %s and %s', async (year, sv, en) => {
    await language.use('sv');
    expect(decadeShort(year)).toBe(sv);
    await language.use('en');
    expect(decadeShort(year)).toBe(en);
  });

  it('says the whole decade at the reveal', async () => {
    await language.use('sv');
    expect(decadeLong(1991)).toBe('1990-tal');
    await language.use('en');
    expect(decadeLong(2004)).toBe('2000s');
  });

  it('counts narrow ones', () => {
    expect(ones(1991)).toBe(2);
    expect(ones(1111)).toBe(4);
    expect(ones(2000)).toBe(0);
  });
});

describe('the strip', () => {
  it('has eight decades, evenly', () => {
    const scale = scaleFor([1967, 2010]);
    expect(scale.segments.map((s) => s.label)).toEqual(['50', '60', '70', '80', '90', '00', '10', '20']);
    expect(positionOn(scale, 1950, 0)).toBe(0);
    expect(positionOn(scale, 1990, 0)).toBe(0.5);
    expect(positionOn(scale, 2035)).toBe(1);
  });

  it('gives old songs the room of decades nobody needs', () => {
    const scale = scaleFor([1812, 1994]);
    expect(scale.segments[0]).toMatchObject({ class: 'dold', wide: 3 });
    expect(scale.segments.map((s) => s.from).slice(1)).toEqual([1980, 1990, 2000, 2010, 2020]);
    expect(positionOn(scale, 1812)).toBeGreaterThan(0);
    expect(positionOn(scale, 1949)).toBeLessThan(positionOn(scale, 1980));
  });

  it('keeps every decade that has a card beside old ones', () => {
    const scale = scaleFor([1876, 1955, 1994]);
    expect(scale.segments).toHaveLength(9);
    expect(scale.columns).toBe(9);
    expect(positionOn(scale, 1955)).toBeGreaterThan(positionOn(scale, 1949));
  });

  it('is in order of year', () => {
    const scale = scaleFor([1609, 1850, 1921, 1994]);
    const xs = [1609, 1850, 1921, 1994, 2010].map((y) => positionOn(scale, y));
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
  });

  it("frames the joker's decade", () => {
    expect(segmentOf(scaleFor([1994]), 1990)).toEqual({ x: 0.5, w: 0.125 });
    expect(segmentOf(scaleFor([1812, 1994]), 1870)).toEqual({ x: 0, w: 3 / 8 });
  });

  const xs = (years: number[], apart?: number) =>
    ticksOn(scaleFor(years), years.map((year) => ({ year, kind: 'song' })), apart).map((tick) => tick.x);

  it('leaves ticks where their years are if there is room', () => {
    expect(xs([1960, 1984, 1990])).toEqual([1960, 1984, 1990].map((year) => positionOn(scaleFor([1960]), year)));
  });

  it('moves ticks that would touch apart, both ways and in order', () => {
    const [a, b, far] = xs([1984, 1984, 2010]) as [number, number, number];
    const year = positionOn(scaleFor([1984]), 1984);
    expect(b - a).toBeCloseTo(0.019);
    expect((a + b) / 2).toBeCloseTo(year);
    expect(far).toBe(positionOn(scaleFor([2010]), 2010));
  });

  it.each([[40, 1984], [80, 1950], [120, 2029]])('finds room for %i cards of %i', (count, year) => {
    const all = xs(Array<number>(count).fill(year));
    const gaps = all.slice(1).map((x, i) => x - (all[i] ?? 0));
    expect(Math.min(...all)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...all)).toBeLessThanOrEqual(1);
    expect(Math.min(...gaps)).toBeGreaterThan(0.9 * Math.min(0.019, 1 / count));
  });
});
