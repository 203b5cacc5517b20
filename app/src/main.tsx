import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '#ui/fonts.css'
import '#ui/tokens.css'
import '#ui/base.css'
import { loadMessages } from '#messages/messages.tsx'
import { createProjectStore } from '#projects/project-store.ts'
import { createRouteLoader } from '#routes/route-loader.ts'
import { findRoute } from '#routes/router.tsx'
import { App } from './app.tsx'
import { loadConfig } from './config.ts'

/** Words, settings and the first screen's files are fetched side by side; then the page is drawn once. */
async function start(root: HTMLElement) {
  const loader = createRouteLoader(async () => (await import('#routes/shell/shell.tsx')).Shell)
  const first = loader.load(findRoute(location.pathname).route)
  const [spoken, { config, faults }] = await Promise.all([loadMessages(), loadConfig(location), first])
  const store = createProjectStore(config.projects, window)
  createRoot(root).render(
    <StrictMode>
      <App spoken={spoken} config={config} faults={faults} store={store} loader={loader} />
    </StrictMode>,
  )
}

const root = document.getElementById('root')
if (root) void start(root)
