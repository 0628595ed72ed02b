/** What belongs to the whole page: passing messages, what is read aloud, day or night. */

import { language, reasonText } from './i18n/index.svelte';
import { kept } from './storage';

export type Theme = 'auto' | 'dark' | 'light';

class App {
  toasts = $state.raw<readonly { id: number; text: string }[]>([]);
  spoken = $state('');
  theme = $state<Theme>(kept.get<Theme>('varv.theme') ?? 'auto');
  #next = 0;

  toast(text: string, ms = 4200): void {
    if (this.toasts.some((toast) => toast.text === text)) return;
    const id = (this.#next += 1);
    this.toasts = [...this.toasts.slice(-2), { id, text }];
    setTimeout(() => (this.toasts = this.toasts.filter((toast) => toast.id !== id)), ms);
  }

  refuse(reason: string): void {
    this.toast(reasonText(reason));
  }

  /** Screen readers hear it; a repeated text is heard again. */
  say(text: string): void {
    if (text) this.spoken = this.spoken === text ? `${text} ` : text;
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    kept.set('varv.theme', theme);
    this.dress();
  }

  dress(): void {
    const root = document.documentElement;
    if (this.theme === 'auto') delete root.dataset['theme'];
    else root.dataset['theme'] = this.theme;
    root.lang = language.lang;
    const room = getComputedStyle(root).getPropertyValue('--room').trim();
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', room);
  }
}

export const app = new App();
