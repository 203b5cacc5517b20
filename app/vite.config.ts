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

/** Files of `src/ui` that only screens behind the sign-in use; `src/ui/README.md` has the two lists. */
const insideParts =
  /^(aria-note|combo-box|confirm-dialog|date-field|dialog|icons-inside|inside-provider|kbd|list-box|menu|popover|search-field|segmented|sheet|switch|tabs|tooltip)$/

/** Parts of the design system that stand on no heavy library, with session, client and words' machinery. */
const isOnEveryPage = (id: string): boolean => {
  const part = /\/src\/ui\/([\w-]+?)(\.module)?\.(tsx?|css)/.exec(id)?.[1]
  if (part !== undefined) return !insideParts.test(part)
  if (/\/src\/(session|api)\/(arrival|callback|password-change|use-password-change|sign-in-proofs)\.ts$/.test(id)) return false
  return /\/src\/(session|api|projects|app\.tsx|config\.ts|routes\/(router|route|route-loader|boot|table|use-arrival)\.tsx?$|messages\/[\w-]+\.tsx?$)/.test(id) || /node_modules\/lucide-react\/dist\/esm\/(?!icons)/.test(id)
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
        // Few files, in the order they are needed: what every page has, then the door, then what stands inside.
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam|use-sync-external-store|@supabase|@tanstack\/(react-query|query-core)|tslib|iceberg-js|cookie)\//, priority: 8 },
            { name: 'aria', test: /node_modules\/(react-aria|react-aria-components|react-stately|@react-aria|@react-types|@internationalized\/(string|number))\//, priority: 7 },
            { name: 'base', test: isOnEveryPage, priority: 6 },
            { name: 'door', test: /\/src\/features\/front-door\/(?!callback|new-password|sign-in-|sign-up|forgot-password|taken-arrival)/, priority: 1 },
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
