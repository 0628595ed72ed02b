import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { en } from '../../src/lib/i18n/en';
import { language, LANGUAGES, list, nameOf, reasonText, t } from '../../src/lib/i18n/index.svelte';
import { sv } from '../../src/lib/i18n/sv';

function sources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'i18n' || entry.name === 'gallery' ? [] : sources(path);
    return /\.(svelte|ts)$/.test(entry.name) ? [readFileSync(path, 'utf8')] : [];
  });
}

function paths(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([key, inner]) => paths(inner, at ? `${at}.${key}` : key));
}

const source = sources(join(__dirname, '../../src')).join('\n');
const index = readFileSync(join(__dirname, '../../src/lib/i18n/index.svelte.ts'), 'utf8');

describe('texts', () => {
  it('are there in both languages', () => {
    expect(paths(sv).sort()).toEqual(paths(en).sort());
  });

  it('are never empty', () => {
    for (const dictionary of [sv, en]) {
      for (const [key, text] of Object.entries(dictionary)) if (typeof text === 'string') expect(text, key).not.toBe('');
    }
  });

  it.each(Object.keys(en))('%s is used', (key) => {
    expect(new RegExp(`\\bt\\.${key}\\b`).test(source + index)).toBe(true);
  });

  it('that are used exist', () => {
    const used = [...source.matchAll(/\bt\.([a-z]\w*)/g)].map((m) => m[1] as string);
    expect(used.filter((key) => !(key in en))).toEqual([]);
  });

  it('differ between the languages, but for names', () => {
    const same = Object.keys(en).filter((k) => {
      const key = k as keyof typeof en;
      return typeof en[key] === 'string' && en[key] === sv[key];
    });
    expect(same.sort()).toEqual(['bot', 'joker', 'lobby', 'premium', 'wonJokerShort'].sort());
  });

  it('say the words of the rulebook in Swedish', () => {
    expect(sv.host('oracle')).toBe('värd');
    expect(sv.host('dj')).toBe('skapare');
    expect([sv.difficulty('easy'), sv.difficulty('medium'), sv.difficulty('hard')]).toEqual(['Lätt', 'Medel', 'Svår']);
    expect((['start', 'song', 'timeline', 'dj', 'oracle'] as const).map(sv.cardKind)).toEqual(['Startkort', 'Låtkort', 'Tidslinjekort', 'DJ-kort', 'Oracle-kort']);
    expect(JSON.stringify(sv).toLowerCase()).not.toContain('orakel');
  });
});

describe('refusals', () => {
  it('have a sentence each, and an unknown one too', async () => {
    await language.use('sv');
    expect(reasonText('NO_JOKER_LEFT')).toBe('Du har ingen joker kvar.');
    expect(reasonText('ROUND_NOT_IN_SOMETHING_NEW')).toBe(sv.reasons.STALE);
    expect(reasonText('NEVER_HEARD_OF')).toBe(sv.reasonUnknown);
  });

  it('cover every reason that the server knows', () => {
    const root = join(__dirname, '../../../src/varv');
    const python = ['rules/refusals.py', 'rooms/reasons.py'].map((f) => readFileSync(join(root, f), 'utf8')).join('\n');
    const known = [...python.matchAll(/^ {4}([A-Z][A-Z_]+) = [("]/gm)].map((m) => m[1] as string);
    expect(known.length).toBeGreaterThan(40);
    expect(known.filter((reason) => !(reason in en.reasons))).toEqual([]);
  });
});

describe('language', () => {
  it('switches what is read', async () => {
    await language.use('en');
    expect(t.startGame).toBe('Start the game');
    await language.use('sv');
    expect(t.startGame).toBe('Starta spelet');
  });

  it('lists names as people do', async () => {
    await language.use('sv');
    expect(list(['Ali'])).toBe('Ali');
    expect(list(['Ali', 'Bo', 'Maja'])).toBe('Ali, Bo och Maja');
    expect(list([])).toBe('');
  });
});

describe('languages', () => {
  it('are the files beside the index, by the names they call themselves', () => {
    const files = readdirSync(join(__dirname, '../../src/lib/i18n')).filter((name) => /^..\.ts$/.test(name));
    expect([...LANGUAGES].sort()).toEqual(files.map((name) => name.slice(0, 2)).sort());
    expect([nameOf('sv'), nameOf('en')]).toEqual(['Svenska', 'English']);
  });
});
