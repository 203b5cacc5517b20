import { readdirSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import { minify } from 'terser'
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

/** What the second question of signing in is asked with: fetched while the first is answered. */
const stepParts = /^(code-field|password-field)$/

/** Files of `src/ui` that only screens behind the sign-in use, or few pages of the door; `src/ui/README.md` has the lists. */
const insideParts =
  /^(accent|aria-note|aria-provider|avatar|chip|combo-box|confirm-dialog|date-field|date-time|dialog|empty-state|icons-inside|inside-provider|kbd|late|list-box|menu|menu-surface|nav-link|oklch|overlays-ahead|password-guidance|popover|popover-surface|search-field|segmented|select|sheet|switch|tabs|text-area|tooltip|use-media)$/

/** Parts of the design system that stand on no heavy library, with session, client and words' machinery. */
const isOnEveryPage = (id: string): boolean => {
  const part = /\/src\/ui\/([\w-]+?)(\.module)?\.(tsx?|css)/.exec(id)?.[1]
  if (part !== undefined) return !insideParts.test(part) && !stepParts.test(part)
  if (/\/src\/(session|api)\/(app-name|arrival|callback|ceremony|channels|consent|kept-accounts|open-channel|password-change|password-strength|use-password-change|use-password-guidance|use-sign-out|drafts|sign-in-proofs|stored-facts|signed-out-check|step-up|step-up-call|function-call)\.ts$/.test(id)) return false
  return /\/src\/(session|api|projects|app\.tsx|config\.ts|door\.ts|routes\/(home|router|route|route-loader|load-failed|newer-version|boot|table|use-arrival)\.tsx?$|messages\/(\w\w\/forms|[\w-]+)\.tsx?$)/.test(id) || /node_modules\/lucide-react\/dist\/esm\/(?!icons)/.test(id)
}

/** The shell, and what shell, table and record share. */
const isOnEveryPageInside = (id: string): boolean =>
  /\/src\/(routes\/shell\/(bottom-bar|offline-line|person-menu|place|project-switcher|sidebar|use-)|features\/data\/(description|rows|view|[\w-]+\.)|ui\/(avatar|chip|date-time|empty-state|icons-inside|inside-provider|kbd|late|menu|nav-link|overlays-ahead|popover|search-field|use-media)\.)/.test(id) &&
  !/use-palette|use-record|data-screen|overview|unlisted/.test(id)

/** react-aria in three: what menus and dialogs need, what lists to choose from add, what dates add. */
function ariaOf(id: string): 'aria' | 'choices' | 'dates' | undefined {
  const path = /node_modules\/(?:@internationalized|@react-aria|@react-types|react-aria|react-aria-components|react-stately)\/(.*)/.exec(id)?.[1]
  if (path === undefined) return undefined
  if (/calendar|date|timefield|spinbutton|number/i.test(id.slice(id.lastIndexOf('node_modules')))) return 'dates'
  return /combobox|listbox|gridlist|draganddrop|dnd|virtualizer|layout/i.test(path) ? 'choices' : 'aria'
}

/** react-aria's own few words come in 34 languages; those of languages the app does not speak stay out. */
function onlySpokenLanguages(): Plugin {
  const spoken = new Set(readdirSync('src/messages', { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name))
  return {
    name: 'only-spoken-languages',
    enforce: 'pre',
    load(id) {
      const language = /node_modules\/(?:react-aria|react-aria-components|react-stately|@react-aria)\/.*\/intl\/.*?\b([a-z]{2})-[A-Z]{2}\.m?js$/.exec(id)?.[1]
      return language !== undefined && !spoken.has(language) ? 'export default {}' : null
    },
  }
}

/** The larger chunks are gone over once more after the bundler: one to four per cent less, in a few seconds. */
const minifyAgain = (): Plugin => ({
  name: 'minify-again',
  apply: 'build',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || chunk.code.length < 20_000) continue
        const { code } = await minify(chunk.code, { module: true, compress: { passes: 3, ecma: 2020 }, format: { ecma: 2020 } })
        if (code !== undefined) chunk.code = code
      }
    },
  },
})

export default defineConfig({
  // A router's stand-in for what React has had since 18.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  plugins: [react(), onlySpokenLanguages(), preloadLatinFont(), minifyAgain()],
  build: {
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    // The page's policy allows no data: fonts, and no inline script: preloads are links.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    sourcemap: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        // Few files, in the order they are needed: what every page has, then the door, then what stands inside.
        codeSplitting: {
          groups: [
            { name: 'vendor', test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam|use-sync-external-store|@supabase|tslib|iceberg-js|cookie)\//, priority: 8 },
            { name: 'queries', test: /node_modules\/@tanstack\/(react-query|query-core)\//, priority: 7 },
            { name: 'aria', test: (id) => ariaOf(id) === 'aria', priority: 7 },
            { name: 'choices', test: (id) => ariaOf(id) === 'choices', priority: 6 },
            { name: 'dates', test: (id) => ariaOf(id) === 'dates', priority: 5 },
            { name: 'base', test: isOnEveryPage, priority: 4 },
            { name: 'fields', test: /\/src\/ui\/(code|password)-field\./, priority: 3 },
            { name: 'workspace', test: isOnEveryPageInside, priority: 2 },
            // What lies over a screen, fetched when the first is opened, or a second after the first screen.
            { name: 'overlays', test: /\/src\/ui\/(aria-provider|confirm-dialog|dialog|menu-surface|popover-surface|sheet)\./, priority: 1 },
            { name: 'door', test: /\/src\/features\/front-door\/(?!callback|new-password|onward-|check-mail|code-form|sign-in-password|sign-in-steps|given-email|send-mail|use-mail|sign-up|forgot-password|taken-arrival|ways\/|password-|use-sign-up|guest-|keep-)/, priority: 1 },
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
