import { mount } from 'svelte';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/record.css';
import App from './App.svelte';
import { app } from './lib/app.svelte';
import { language } from './lib/i18n/index.svelte';
import { router } from './lib/router.svelte';
import { ahead, pages } from './pages';

router.start();
ahead(router.route);
await Promise.all([language.start(), pages[router.route.name]()]);
app.dress();
const target = document.getElementById('app');
if (target) mount(App, { target });
