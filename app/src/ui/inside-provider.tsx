import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { RouterProvider } from 'react-aria-components'
import { useUi } from './ui-provider.tsx'

/** Hands the reader's locale and the app's own navigation to the parts made with react-aria; stands once, around the shell. */
export function InsideProvider({ navigate, children }: { navigate: (path: string) => void; children: ReactNode }) {
  const { language } = useUi()
  return (
    <I18nProvider locale={language.locale}>
      <RouterProvider navigate={navigate}>{children}</RouterProvider>
    </I18nProvider>
  )
}
