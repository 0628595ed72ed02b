import { mount } from 'svelte';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/record.css';
import App from './App.svelte';
import { app } from './lib/app.svelte';
import { language } from './lib/i18n/index.svelte';
import { patiently } from './lib/patient';
import { router } from './lib/router.svelte';
import { ahead, pages } from './pages';

router.start();
ahead(router.route);
const target = document.getElementById('app');
/** No language may be there yet. */
const waiting = () => {
  if (target) target.textContent = 'Ingen kontakt. Försöker igen … No connection. Trying again…';
};
await Promise.all([patiently(() => language.start(), waiting), patiently<unknown>(pages[router.route.name], waiting)]);
app.dress();
if (target) {
  target.textContent = '';
  mount(App, { target });
}
