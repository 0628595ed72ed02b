/** Texts in the language chosen by the browser, or by the person. `t.key` reads reactively. */

import { kept } from '../storage';
import type { en } from './en';

export type Lang = string;
export type Messages = typeof en;

/** Every file beside this one is a language, fetched when it is wanted: nobody reads them all. */
const files = import.meta.glob<Record<Lang, Messages>>('./??.ts');
export const LANGUAGES: readonly Lang[] = Object.keys(files).map((file) => file.slice(2, 4)).sort().reverse();
/** Neighbours who read Swedish more easily than they let on. */
const NEIGHBOURS: Record<string, Lang> = { nb: 'sv', nn: 'sv', no: 'sv', da: 'sv' };
const dictionaries: Record<Lang, Messages | undefined> = {};

function fromBrowser(): Lang {
  const wanted = navigator.languages ?? [navigator.language];
  for (const tag of wanted) {
    const read = tag.slice(0, 2).toLowerCase();
    const lang = NEIGHBOURS[read] ?? read;
    if (LANGUAGES.includes(lang)) return lang;
  }
  return 'en';
}

class Language {
  lang = $state<Lang>('en');

  /** The person's own choice, else the browser's. */
  async start(): Promise<void> {
    const chosen = kept.get<Lang>('varv.lang');
    await this.use(chosen && LANGUAGES.includes(chosen) ? chosen : fromBrowser());
  }

  async use(lang: Lang): Promise<void> {
    dictionaries[lang] ??= (await files[`./${lang}.ts`]?.())?.[lang];
    this.lang = lang;
  }

  async choose(lang: Lang): Promise<void> {
    await this.use(lang);
    kept.set('varv.lang', lang);
  }
}

export const language = new Language();

export const t = new Proxy({} as Messages, {
  get: (_, key) => dictionaries[language.lang]?.[key as keyof Messages],
});

/** What a language calls itself: "Svenska". */
export function nameOf(lang: Lang): string {
  const name = new Intl.DisplayNames([lang], { type: 'language' }).of(lang) ?? lang;
  return name.charAt(0).toLocaleUpperCase(lang) + name.slice(1);
}

/** What a refusal means to a person; an unknown one still gets a sentence. */
export function reasonText(reason: string): string {
  const texts = t.reasons as Record<string, string>;
  if (texts[reason]) return texts[reason];
  if (reason.startsWith('ROUND_NOT_IN_')) return t.reasons.STALE;
  return t.reasonUnknown;
}

/** "Ali", "Ali and Bo", "Ali, Bo and Maja". */
export function list(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')} ${t.and} ${names.at(-1)}`;
}
