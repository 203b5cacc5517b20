import { lazy, Suspense, useMemo, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { MessagesProvider, useLocale, useMessages } from '#messages/messages.tsx'
import type { WordsStore } from '#messages/words-store.ts'
import type { Project } from '#project.ts'
import { ProjectsProvider, useProjects } from '#projects/projects.tsx'
import type { ProjectStore } from '#projects/project-store.ts'
import { Boot } from '#routes/boot.tsx'
import { ScreenBoundary } from '#routes/load-failed.tsx'
import type { RouteLoader } from '#routes/route-loader.ts'
import { Router } from '#routes/router.tsx'
import { SessionProvider } from '#session/session.tsx'
import { Announcer } from '#ui/announcer.tsx'
import { Toaster } from '#ui/toaster.tsx'
import { UiProvider } from '#ui/ui-provider.tsx'
import type { Config, ConfigFault } from './config.ts'

export interface AppProps {
  words: WordsStore
  config: Config
  faults: readonly ConfigFault[]
  store: ProjectStore
  loader: RouteLoader
}

/** Everything on the page, from the words down. */
export function App({ words, store, ...props }: AppProps) {
  // Made outside of what waits for them: a component that waits before its first draw starts over with new state.
  const [screens] = useState(() => loadConnect(words))
  return (
    <MessagesProvider words={words}>
      <ProjectsProvider store={store}>
        <Ui>
          <ScreenBoundary resetKey="">
            <Suspense fallback={<Boot />}>
              <Content screens={screens} {...props} />
            </Suspense>
          </ScreenBoundary>
        </Ui>
      </ProjectsProvider>
    </MessagesProvider>
  )
}

function Ui({ children }: { children: React.ReactNode }) {
  const { ui } = useMessages()
  const { current } = useProjects()
  const { language, locale, languages, setLanguage } = useLocale()
  const uiLanguage = useMemo(
    () => ({ locale, code: language.code, choices: languages, choose: (code: string) => void setLanguage(code) }),
    [locale, language, languages, setLanguage],
  )
  return (
    <UiProvider words={ui} language={uiLanguage} siteName={current?.name ?? ui.productName} brand={current?.brand}>
      <Announcer>{children}</Announcer>
      <Toaster />
    </UiProvider>
  )
}

interface ContentProps extends Omit<AppProps, 'store' | 'words'> {
  screens: ReturnType<typeof loadConnect>
}

function Content({ screens: { ConnectScreen, ConfigFaults }, config, faults, loader }: ContentProps) {
  const { current } = useProjects()
  if (faults.length > 0) return <ConfigFaults faults={faults} />
  if (!current) return <ConnectScreen onConnected={() => navigate('/', { replace: true })} />
  return <OpenProject key={current.id} project={current} config={config} loader={loader} />
}

/** The screens of a page without a project come with their words. */
const loadConnect = (words: WordsStore) => ({
  ConnectScreen: lazy(async () => {
    const [{ ConnectScreen }] = await Promise.all([import('#features/connect/connect-screen.tsx'), words.loadArea('connect')])
    return { default: ConnectScreen }
  }),
  ConfigFaults: lazy(async () => {
    const [{ ConfigFaults }] = await Promise.all([import('#features/connect/config-faults.tsx'), words.loadArea('connect')])
    return { default: ConfigFaults }
  }),
})

/** One project's client and session. Another project gets its own: nothing of this one is left. */
function OpenProject({ project, config, loader }: { project: Project } & Pick<AppProps, 'config' | 'loader'>) {
  const { domain } = config.cookies
  return (
    <SessionProvider project={project} parts={domain === undefined ? {} : { cookieDomain: domain }}>
      <Router loader={loader} />
    </SessionProvider>
  )
}
