import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '#ui/fonts.css'
import '#ui/tokens.css'
import '#ui/base.css'
import { openWords, type WordsStore } from '#messages/words-store.ts'
import { createProjectStore } from '#projects/project-store.ts'
import { renew, watchForMissingFiles } from '#routes/newer-version.ts'
import { createRouteLoader, type RouteLoader } from '#routes/route-loader.ts'
import { findRoute } from '#routes/router.tsx'
import { App } from './app.tsx'
import { loadConfig } from './config.ts'
import { dressPage } from './page-dress.ts'
import { replaceRefusedStorage } from './page-storage.ts'

/** Words, settings and the first screen's files are fetched side by side; then the page is drawn once. */
async function start(root: HTMLElement) {
  replaceRefusedStorage(window)
  watchForMissingFiles(window)
  const opening = openWords(window)
  const loader = createRouteLoader({
    loadFrame: async () => (await import('#routes/shell/shell.tsx')).Shell,
    loadQueries: () => import('#routes/queries.tsx'),
    loadWords: async (area) => (await opening).loadArea(area),
  })
  const first = loader.load(findRoute(location.pathname).route)
  const [words, { config, faults }] = await Promise.all([opening, loadConfig(location), first])
  const store = createProjectStore(config.projects, window)
  const dress = () => dressPage(store.snapshot().current?.brand)
  store.subscribe(() => void dress())
  await dress()
  createRoot(root).render(
    <StrictMode>
      <App words={words} config={config} faults={faults} store={store} loader={loader} />
    </StrictMode>,
  )
  fetchAhead(loader, words)
}

/** Whoever starts typing at the door may be refused, and will soon be inside: the words and what stands there are fetched meanwhile. */
function fetchAhead(loader: RouteLoader, words: WordsStore) {
  // Missing words are asked for again by whoever needs them.
  const fetchWords = () => void words.loadArea('refusals').catch(() => {})
  for (const sign of ['input', 'keydown', 'pointerdown']) addEventListener(sign, fetchWords, { once: true })
  addEventListener('input', () => setTimeout(() => void loader.load(findRoute('/data').route), 500), { once: true })
}

/** Not even the words have come: an updated app is loaded anew, else the page's own sentence stands. */
async function giveUp() {
  if ((await renew({ page: window, fetch: (...call) => fetch(...call) })) === 'reloading') return
  document.querySelector('.boot-failed')?.removeAttribute('hidden')
}

const root = document.getElementById('root')
if (root) start(root).catch(() => void giveUp())
