import { mount } from 'svelte';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/record.css';
import './styles/lobby.css';
import App from './App.svelte';
import { app } from './lib/app.svelte';
import { language } from './lib/i18n/index.svelte';
import { router } from './lib/router.svelte';

await language.start();
app.dress();
router.start();
const target = document.getElementById('app');
if (target) mount(App, { target });
