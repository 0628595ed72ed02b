/** Decades: which colour a year has, what it is called, and where it stands on the strip. */

import { t } from './i18n/index.svelte';

const FIRST = 1950;
const CLASSES = ['d50', 'd60', 'd70', 'd80', 'd90', 'd00', 'd10', 'd20'] as const;
export type DecadeClass = (typeof CLASSES)[number] | 'dold';

/** The first year of a year's decade. */
function decadeStart(year: number): number {
  return Math.floor(year / 10) * 10;
}

export function decadeClass(year: number): DecadeClass {
  const index = Math.floor((year - FIRST) / 10);
  if (index < 0) return 'dold';
  return CLASSES[Math.min(index, CLASSES.length - 1)] as DecadeClass;
}

/** "90-tal", "90s"; before 1950, and so that 1910 and 2010 differ, the whole year: "1870-tal". */
export function decadeShort(year: number): string {
  const start = decadeStart(year);
  return t.decade(start < FIRST ? String(start) : String(start % 100).padStart(2, '0'));
}

/** "1990-tal", "1990s". */
export function decadeLong(year: number): string {
  return t.decade(String(decadeStart(year)));
}

/** How many narrow ones a year has: Big Shoulders has no tabular figures. */
export function ones(year: number): number {
  return String(year).split('1').length - 1;
}

export interface Segment {
  class: DecadeClass;
  from: number;
  label: string;
  /** How many columns of the strip it takes. */
  wide: number;
}

export interface Scale {
  /** The first old year shown, or null when nothing is older than 1950. */
  old: number | null;
  segments: Segment[];
  columns: number;
}

const COLUMNS = 8;
/** Start cards are from 1980 on, so a strip of old songs still needs these. */
const ALWAYS = 1980;

/**
 * Eight decades. When some year is older (the demo mix), everything before 1950 becomes a first
 * segment that takes the room of the decades nobody needs.
 */
export function scaleFor(years: readonly number[]): Scale {
  const all = CLASSES.map((name, i): Segment => ({ class: name, from: FIRST + 10 * i, label: name.slice(1), wide: 1 }));
  const oldest = Math.min(...years, FIRST);
  if (oldest >= FIRST) return { old: null, segments: all, columns: COLUMNS };
  const first = Math.min(ALWAYS, ...years.filter((y) => y >= FIRST).map(decadeStart));
  const modern = all.filter((segment) => segment.from >= first);
  const wide = Math.max(1, COLUMNS - modern.length);
  // A little air before the oldest, so that it does not stand on the edge.
  const old = decadeStart(oldest) - 10;
  return { old, segments: [{ class: 'dold', from: old, label: '', wide }, ...modern], columns: wide + modern.length };
}

/** Where a year stands on the strip, 0 to 1; `at` is the point within the year. */
export function positionOn(scale: Scale, year: number, at = 0.5): number {
  const [head, next] = scale.segments;
  if (scale.old === null || !head || !next) return clamp((year + at - FIRST) / 10 / scale.columns);
  if (year < FIRST) return (clamp((year + at - scale.old) / (FIRST - scale.old)) * head.wide) / scale.columns;
  return clamp((head.wide + (year + at - next.from) / 10) / scale.columns);
}

/** The segment that a decade stands in, as a stretch of the strip. */
export function segmentOf(scale: Scale, year: number): { x: number; w: number } {
  let before = 0;
  for (const [i, segment] of scale.segments.entries()) {
    const end = scale.segments[i + 1]?.from ?? Infinity;
    if (year < end) return { x: before / scale.columns, w: segment.wide / scale.columns };
    before += segment.wide;
  }
  return { x: 0, w: 0 };
}

function clamp(x: number): number {
  return Math.min(1, Math.max(0, x));
}

export interface Tick {
  year: number;
  x: number;
  start: boolean;
}

/** Ticks of close years would touch: they move apart, each as little as it can, in order. */
export function ticksOn(scale: Scale, cards: readonly { year: number; kind: string }[], apart = 0.019): Tick[] {
  const gap = Math.min(apart, 1 / Math.max(1, cards.length));
  // Less its own share of the gaps, no tick may stand before the one to its left: those that do share a place.
  const groups: { sum: number; count: number }[] = [];
  const place = (group: { sum: number; count: number } | undefined) => (group ? group.sum / group.count : -Infinity);
  cards.forEach((card, i) => {
    let last = { sum: positionOn(scale, card.year) - i * gap, count: 1 };
    while (place(groups.at(-1)) > place(last)) {
      const { sum, count } = groups.pop() as typeof last;
      last = { sum: sum + last.sum, count: count + last.count };
    }
    groups.push(last);
  });
  const most = 1 - (cards.length - 1) * gap;
  const places = groups.flatMap((group) => Array<number>(group.count).fill(Math.min(most, Math.max(0, place(group)))));
  return cards.map((card, i) => ({ year: card.year, x: (places[i] ?? 0) + i * gap, start: card.kind === 'start' }));
}
