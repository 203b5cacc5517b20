// Every part of the design system in its states, for looking at: `npm run dev`, then /gallery/. Not part of the build.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '#ui/fonts.css'
import '#ui/tokens.css'
import '#ui/base.css'
import { MessagesProvider, useLocale, useMessages } from '#messages/messages.tsx'
import { openWords } from '#messages/words-store.ts'
import { Announcer } from '#ui/announcer.tsx'
import { addIcons } from '#ui/icon.tsx'
import { insideIcons } from '#ui/icons-inside.ts'
import { InsideProvider } from '#ui/inside-provider.tsx'
import { Toaster } from '#ui/toaster.tsx'
import { UiProvider } from '#ui/ui-provider.tsx'
import { Door } from './door.tsx'
import { Parts } from './parts.tsx'

addIcons(insideIcons)

function Gallery() {
  const { ui } = useMessages()
  const { locale, language, languages, setLanguage } = useLocale()
  return (
    <UiProvider words={ui} siteName="Gallery" language={{ locale, code: language.code, choices: languages, choose: (code) => void setLanguage(code) }}>
      <InsideProvider navigate={() => {}}>
        <Announcer>{location.hash === '#door' ? <Door /> : <Parts />}</Announcer>
      </InsideProvider>
      <Toaster />
    </UiProvider>
  )
}

const root = document.getElementById('root')
if (root) {
  const words = await openWords(window)
  createRoot(root).render(
    <StrictMode>
      <MessagesProvider words={words}>
        <Gallery />
      </MessagesProvider>
    </StrictMode>,
  )
}
