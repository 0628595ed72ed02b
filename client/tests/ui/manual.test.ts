import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { flushSync, mount, unmount } from 'svelte';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { language, type Lang } from '../../src/lib/i18n/index.svelte';
import HowTo from '../../src/screens/HowTo.svelte';

const DOCS = join(__dirname, '../../../docs');
const LANGS: Lang[] = ['sv', 'en'];
const source = (lang: Lang) => readFileSync(join(DOCS, `manual.${lang}.md`), 'utf8');
const headings = (lang: Lang) => [...source(lang).matchAll(/^(#+) (.+)$/gm)].map((m) => ({ tag: `H${m[1]?.length}`, text: m[2] }));

/** Milliseconds: the pages are made when they are first asked for, also on a busy machine. */
const PATIENCE = 30_000;
vi.setConfig({ testTimeout: 2 * PATIENCE });

let shown: ReturnType<typeof mount> | null = null;
async function page(lang: Lang): Promise<HTMLElement> {
  await language.use(lang);
  shown = mount(HowTo, { target: document.body });
  await vi.waitFor(() => {
    flushSync();
    expect(document.querySelector('main h1')).not.toBeNull();
  }, PATIENCE);
  return document.querySelector('main') as HTMLElement;
}
function close(): void {
  if (shown) void unmount(shown);
  shown = null;
  document.body.innerHTML = '';
}
afterEach(close);

describe('How to play', () => {
  it.each(LANGS)('is the manual of docs/, heading by heading (%s)', async (lang) => {
    const main = await page(lang);
    const there = Array.from(main.querySelectorAll('h1, h2, h3'), (h) => ({ tag: h.tagName, text: h.textContent }));
    expect(there.length).toBeGreaterThan(8);
    expect(there).toEqual(headings(lang));
  });

  it.each(LANGS)('shows the table in that language, and says what is on the pictures (%s)', async (lang) => {
    const pictures = Array.from((await page(lang)).querySelectorAll('img'));
    expect(pictures.length).toBe([...source(lang).matchAll(/<img /g)].length);
    expect(pictures.length).toBeGreaterThan(3);
    for (const picture of pictures) {
      expect(picture.src).toContain(`.${lang}.webp`);
      expect(picture.alt.length).toBeGreaterThan(20);
      expect(picture.getAttribute('loading')).toBe('lazy');
      expect(Number(picture.getAttribute('height'))).toBeGreaterThan(100);
    }
  });

  it('has the same chapters and pictures in both languages', () => {
    const [sv, en] = LANGS.map((lang) => ({
      tags: headings(lang).map((h) => h.tag),
      pictures: [...source(lang).matchAll(/manual\/([a-z-]+)\.(\w+)\.webp/g)].map((m) => m[1]),
    }));
    expect(sv).toEqual(en);
    for (const name of en?.pictures ?? []) for (const lang of LANGS) expect(existsSync(join(DOCS, `pictures/manual/${name}.${lang}.webp`))).toBe(true);
  });

  it('leaves its grammar behind when it is built', async () => {
    for (const lang of LANGS) {
      const text = (await page(lang)).textContent ?? '';
      expect(text).not.toMatch(/\*\*|<img|^#|\{\{/m);
      close();
    }
  });
});
