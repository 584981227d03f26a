import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));

/** The address of a running instance, to which `npx vite web` forwards what is not the portal's own. */
const instance = process.env.SLUICE_URL ?? 'http://127.0.0.1:8787';

export default defineConfig({
  root,
  base: '/portal/',
  build: {
    outDir: '../dist/portal',
    // The folder may be a temporary one, which `scripts/portal.mjs` has made.
    emptyOutDir: false,
    target: 'es2022',
    // The policy of the page allows no data in styles, and no script in the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rollupOptions: {
      output: {
        // These change seldom, so that a browser keeps them over most new versions.
        manualChunks: { vendor: ['react-dom/client', '@tanstack/react-query', '@tanstack/react-router'] },
      },
      onwarn: (warning, warn) => {
        // A directive that only servers which render React read.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
  esbuild: { jsx: 'automatic', legalComments: 'none' },
  server: { proxy: { '^/(?!portal(/(?!data/)|$))': instance } },
});
