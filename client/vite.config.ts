import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { manual } from './scripts/manual.ts';
import { packed } from './scripts/packed.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * A few files of a sensible size: each costs a phone a request, and small ones pack badly. `base` is
 * in every page, `room` in every seat and screen, `table` is a round on a phone, `reveal` its end.
 */
const FILES: Record<string, string> = {
  base: 'api app arcs ids index line motion patient preload-helper router session storage view Act Badge Icon Record',
  door: 'Start Create unfinished About ClockChoice Confirm Look MixList Sheet SoundChoice',
  room: `Seated RoomView Banner Clock Joker PlayButton Single announce audio decades game gaps
    haptics jukebox outbox room same socket staging wakelock chime silence still`,
  table: `Table Free Steps Locked Oracle Waiting Answer Card JokerButton Jokers Line LockButton Mark
    Options Pips RevealButtons Seats Stage Standings Star Strip Ticks Timeline Top Years drag glide roving`,
  reveal: 'Reveal Landing Results Verdict reveal',
};
/** Styles of the table, in one file for the same reason: a browser asks for six at a time. */
const STYLES = /styles\/(cards|sheet|standings)\.css$/;
const names = new Map(Object.entries(FILES).flatMap(([file, parts]) => parts.split(/\s+/).map((part) => [part, file] as const)));
function fileOf(id: string): string | null {
  if (/node_modules\/(svelte|clsx)\//.test(id)) return 'base';
  if (STYLES.test(id)) return 'cards';
  const part = /([\w-]+)(?:\.svelte)?(?:\.(?:ts|js|mp4|wav))?$/.exec(id)?.[1];
  return (part && names.get(part)) ?? null;
}

/** `--mode gallery` builds the page of fixtures that screenshots are taken of; it never ships. */
export default defineConfig(({ command, mode }) => {
  const gallery = mode === 'gallery';
  return {
    plugins: [manual(), svelte(), packed()],
    logLevel: command === 'build' ? 'warn' : 'info',
    build: {
      outDir: gallery ? '.gallery' : '../src/varv/web/client',
      emptyOutDir: true,
      // The CSP refuses data: addresses, so nothing is inlined.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        // Not a fault, but a report on the slowest plugin, printed when the machine is busy.
        checks: { pluginTimings: false },
        input: here(gallery ? 'gallery.html' : 'index.html'),
        output: { codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: fileOf, debugName: 'files' }] } },
      },
    },
    resolve: process.env['VITEST'] ? { conditions: ['browser'] } : {},
    server: {
      fs: { allow: [here('.'), here('../docs')] },
      proxy: { '/api': { target: process.env['VARV_URL'] ?? 'http://127.0.0.1:8000', ws: true } },
    },
    test: { environment: 'jsdom', include: ['tests/**/*.test.ts'] },
  };
});
