import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const box = process.env['PORTICO_URL'] ?? 'http://127.0.0.1:54321'

/** The face of the first words is fetched with the page, not after its style sheet. */
function preloadLatinFont(): Plugin {
  return {
    name: 'preload-latin-font',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => /inter-latin-wght-normal.*\.woff2$/.test(file))
          .map((file) => ({ tag: 'link', attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true }, injectTo: 'head' as const })),
    },
  }
}

export default defineConfig({
  plugins: [react(), preloadLatinFont()],
  build: {
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    // The page's policy allows no data: fonts, and no inline script: preloads are links.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    sourcemap: false,
    rolldownOptions: {
      output: {
        advancedChunks: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam|use-sync-external-store)\// },
            { name: 'client', test: /node_modules\/(@supabase|@tanstack\/(react-)?query)/ },
            { name: 'aria', test: /node_modules\/(react-aria|react-aria-components|react-stately|@react-aria|@react-types|@internationalized\/(string|number))/ },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: {
      '^/(auth|rest|storage|functions)/v1': { target: box },
      '^/realtime/v1': { target: box, ws: true },
      '/portico.json': { target: box, changeOrigin: true },
    },
  },
})
