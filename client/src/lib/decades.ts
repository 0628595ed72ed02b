/** Decades: which colour a year has, what it is called, and where it stands on the strip. */

const FIRST = 1950;
const CLASSES = ['d50', 'd60', 'd70', 'd80', 'd90', 'd00', 'd10', 'd20'] as const;
export type DecadeClass = (typeof CLASSES)[number] | 'dold';

/** The first year of a year's decade. */
export function decadeStart(year: number): number {
  return Math.floor(year / 10) * 10;
}

export function decadeClass(year: number): DecadeClass {
  const index = Math.floor((year - FIRST) / 10);
  if (index < 0) return 'dold';
  return CLASSES[Math.min(index, CLASSES.length - 1)] as DecadeClass;
}

/** "90-tal", "90s"; before 1950, and so that 1910 and 2010 differ, the whole year: "1870-tal". */
export function decadeShort(year: number, lang: 'sv' | 'en'): string {
  const start = decadeStart(year);
  const digits = start < FIRST ? String(start) : String(start % 100).padStart(2, '0');
  return lang === 'sv' ? `${digits}-tal` : `${digits}s`;
}

/** "1990-tal", "1990s". */
export function decadeLong(year: number, lang: 'sv' | 'en'): string {
  return lang === 'sv' ? `${decadeStart(year)}-tal` : `${decadeStart(year)}s`;
}

/** How many narrow ones a year has: Big Shoulders has no tabular figures. */
export function ones(year: number): number {
  return String(year).split('1').length - 1;
}

export interface Scale {
  /** The first old year shown, or null when nothing is older than 1950. */
  old: number | null;
  segments: { class: DecadeClass; from: number; label: string }[];
}

/** Eight decades, and a ninth segment first when some year is older (the demo mix). */
export function scaleFor(years: readonly number[]): Scale {
  const oldest = Math.min(...years, FIRST);
  const decades = CLASSES.map((name, i) => ({
    class: name as DecadeClass,
    from: FIRST + 10 * i,
    label: name.slice(1),
  }));
  if (oldest >= FIRST) return { old: null, segments: decades };
  const old = decadeStart(oldest);
  return { old, segments: [{ class: 'dold', from: old, label: '' }, ...decades] };
}

/** Where a year stands on the strip, 0 to 1; `at` is the point within the year. */
export function positionOn(scale: Scale, year: number, at = 0.5): number {
  const n = scale.segments.length;
  if (scale.old !== null && year < FIRST) {
    return clamp((year + at - scale.old) / (FIRST - scale.old)) / n;
  }
  const lead = scale.old === null ? 0 : 1;
  return clamp((lead + (year + at - FIRST) / 10) / n);
}

function clamp(x: number): number {
  return Math.min(1, Math.max(0, x));
}

export interface Tick {
  year: number;
  x: number;
  /** Half as high, and on which of two floors: where full ticks would touch. */
  half: boolean;
  level: number;
  start: boolean;
}

/** Ticks of close years would touch: those stand half as high, on two floors. */
export function ticksOn(
  scale: Scale,
  cards: readonly { year: number; kind: string }[],
  apart = 0.019,
): Tick[] {
  const xs = cards.map((card) => positionOn(scale, card.year));
  let level = 0;
  return cards.map((card, i) => {
    const x = xs[i] as number;
    const afterClose = i > 0 && x - (xs[i - 1] as number) < apart;
    const beforeClose = i + 1 < xs.length && (xs[i + 1] as number) - x < apart;
    level = afterClose ? 1 - level : 0;
    return { year: card.year, x, half: afterClose || beforeClose, level, start: card.kind === 'start' };
  });
}
