/** A router of our own: the few addresses there are, and the browser's history. */

import { cleanCode, ticketIn } from './session';

export type Route =
  | { name: 'start'; about: boolean }
  | { name: 'create'; bots: boolean }
  | { name: 'game'; code: string; rejoin: string | null }
  | { name: 'history'; code: string }
  | { name: 'screen'; code: string; ticket: string | null }
  | { name: 'how' };

export function parse(path: string, hash: string): Route {
  const parts = path.split('/').filter(Boolean);
  const [first, second, third] = parts;
  const code = cleanCode(second ?? '');
  const secret = ticketIn(hash);
  if (first === 'g' && code) {
    if (third === 'history') return { name: 'history', code };
    return { name: 'game', code, rejoin: secret };
  }
  if (first === 'screen' && code) return { name: 'screen', code, ticket: secret };
  if (first === 'how') return { name: 'how' };
  if (hash === '#new') return { name: 'create', bots: false };
  if (hash === '#try') return { name: 'create', bots: true };
  return { name: 'start', about: first === 'about' };
}

class Router {
  route = $state.raw<Route>({ name: 'start', about: false });

  start(): void {
    const read = () => (this.route = parse(location.pathname, location.hash));
    addEventListener('popstate', read);
    addEventListener('hashchange', read);
    read();
  }

  go(path: string, how: 'push' | 'replace' = 'push'): void {
    history[how === 'push' ? 'pushState' : 'replaceState'](null, '', path);
    this.route = parse(location.pathname, location.hash);
    scrollTo(0, 0);
  }
}

export const router = new Router();

/** For links: the address without a page load, unless the person asks for another tab. */
export function follow(event: MouseEvent): void {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  const link = (event.currentTarget as HTMLElement).closest('a');
  if (!link || link.origin !== location.origin) return;
  event.preventDefault();
  router.go(link.pathname + link.hash);
}
