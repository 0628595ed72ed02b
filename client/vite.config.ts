import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { manual } from './scripts/manual.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** `--mode gallery` builds the page of fixtures that screenshots are taken of; it never ships. */
export default defineConfig(({ mode }) => {
  const gallery = mode === 'gallery';
  return {
    plugins: [manual(), svelte()],
    build: {
      outDir: gallery ? '.gallery' : '../src/varv/web/client',
      emptyOutDir: true,
      // The CSP refuses data: addresses, so nothing is inlined.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: { input: here(gallery ? 'gallery.html' : 'index.html') },
    },
    resolve: process.env['VITEST'] ? { conditions: ['browser'] } : {},
    server: {
      fs: { allow: [here('.'), here('../docs')] },
      proxy: { '/api': { target: process.env['VARV_URL'] ?? 'http://127.0.0.1:8000', ws: true } },
    },
    test: { environment: 'jsdom', include: ['tests/**/*.test.ts'] },
  };
});
