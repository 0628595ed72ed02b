/** Texts in the language chosen by the browser, or by the person. `t.key` reads reactively. */

import { kept } from '../storage';
import type { en } from './en';

export type Lang = 'sv' | 'en';
export type Messages = typeof en;

/** A language is fetched when it is wanted: nobody reads both. */
const loaders: Record<Lang, () => Promise<Messages>> = {
  sv: async () => (await import('./sv')).sv,
  en: async () => (await import('./en')).en,
};
const dictionaries: Partial<Record<Lang, Messages>> = {};

function fromBrowser(): Lang {
  const wanted = navigator.languages ?? [navigator.language];
  for (const tag of wanted) {
    const lang = tag.slice(0, 2).toLowerCase();
    if (lang === 'sv' || lang === 'en') return lang;
    // Neighbours who read Swedish more easily than they let on.
    if (lang === 'nb' || lang === 'nn' || lang === 'no' || lang === 'da') return 'sv';
  }
  return 'en';
}

class Language {
  lang = $state<Lang>('en');

  /** The person's own choice, else the browser's. */
  async start(): Promise<void> {
    await this.use(kept.get<Lang>('varv.lang') ?? fromBrowser());
  }

  async use(lang: Lang): Promise<void> {
    dictionaries[lang] ??= await loaders[lang]();
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
