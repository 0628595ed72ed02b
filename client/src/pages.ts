/** One chunk per kind of page; the first is fetched beside the language. */

export const pages = {
  start: () => import('./screens/Start.svelte'),
  create: () => import('./screens/Create.svelte'),
  game: () => import('./screens/Seated.svelte'),
  history: () => import('./screens/History.svelte'),
  screen: () => import('./screens/Screen.svelte'),
  how: () => import('./screens/HowTo.svelte'),
};
