/**
 * Development only: any screen in any state, from fixtures.
 * ?view=guess&lang=en&theme=light, &tv for the shared screen, &open=menu for a sheet, &from=… to stage a reveal.
 */
import { mount } from 'svelte';
import '../styles/fonts.css';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/record.css';
import { sampleHistory, STATES } from '../../tests/fixtures/states';
import { app, type Theme } from '../lib/app.svelte';
import { language, type Lang } from '../lib/i18n/index.svelte';
import { takeSeat } from '../lib/session';
import Gallery from './Gallery.svelte';

const query = new URLSearchParams(location.search);
await language.use((query.get('lang') ?? 'sv') as Lang);
app.theme = (query.get('theme') ?? 'dark') as Theme;
app.dress();

const MIXES = [
  { id: 'all-time-hits', name: 'All Time Hits', songs: 612, years: [1952, 2024], playable: true, allowed: true },
  { id: 'svenska-favoriter', name: 'Svenska favoriter', songs: 214, years: [1958, 2023], playable: true, allowed: true },
  { id: 'demo', name: 'Demo', songs: 48, years: [1685, 1925], playable: true, allowed: true },
  { id: '80-tal', name: '80-tal', songs: 9, years: [1980, 1989], playable: false, allowed: true },
  { id: 'filmmusik', name: 'Filmmusik', songs: 88, years: [1960, 2020], playable: true, allowed: false },
];
const code = query.get('code') ?? 'K7QX';
const CARD = { code, edition: 'oracle', state: query.get('card') ?? 'LOBBY', players: 3, max_players: 10, joinable: !query.has('card') };
const ANSWERS: [RegExp, unknown][] = [
  [/\/mixes$/, { mixes: MIXES }],
  [/\/owner$/, { owner: 'o-7Q4K-2PXM', premium: true, game: query.has('unfinished') ? 'B4RT' : null }],
  [/\/history$/, sampleHistory()],
  [/\/screens$/, { link: `${location.origin}/screen/K7QX#s`, code: 'H3MP' }],
  [/rejoin-link$/, { link: `${location.origin}/g/K7QX#b3f1c09d2a7e`, expires: 0 }],
  [/\/games\/\w+$/, CARD],
];
window.fetch = async (input) => {
  const path = String(input);
  const found = query.has('missing') ? undefined : ANSWERS.find(([pattern]) => pattern.test(path));
  return new Response(JSON.stringify(found?.[1] ?? { reason: 'GAME_UNKNOWN' }), { status: found ? 200 : 404 });
};
if (query.get('view') === 'history') takeSeat({ code: 'K7QX', player: 'p1', token: 'x', name: 'Maja' });

const target = document.getElementById('app');
if (target) mount(Gallery, { target, props: { query, states: STATES } });
