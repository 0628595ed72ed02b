/** One chunk per kind of page; the first is fetched beside the language. */

import { api } from './lib/api';
import { openEarly } from './lib/line';
import type { Route } from './lib/router.svelte';
import { seatIn } from './lib/session';

export const pages = {
  start: () => import('./screens/Start.svelte'),
  create: () => import('./screens/Create.svelte'),
  game: () => import('./screens/Seated.svelte'),
  history: () => import('./screens/History.svelte'),
  screen: () => import('./screens/Screen.svelte'),
  how: () => import('./screens/HowTo.svelte'),
};

/** What such a page will ask for as soon as it is there, asked for at once. */
export function ahead(route: Route): void {
  if (route.name === 'screen') return openEarly(route.code);
  if (route.name !== 'game') return;
  const seated = seatIn(route.code) !== null;
  if (seated) openEarly(route.code);
  if (seated || route.rejoin) return fetching(() => import('./screens/Table.svelte'));
  api.ahead(route.code);
  fetching(() => import('./screens/Join.svelte'));
}

function fetching(part: () => Promise<unknown>): void {
  part().catch(() => {});
}
