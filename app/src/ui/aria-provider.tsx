import type { ReactNode } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { RouterProvider } from 'react-aria-components'
import { useInside } from './inside-provider.tsx'
import { useUi } from './ui-provider.tsx'

/** Hands the reader's locale and the app's own navigation to react-aria; stands around each part that is made with it. */
export function AriaProvider({ children }: { children: ReactNode }) {
  const { language } = useUi()
  const { navigate } = useInside()
  return (
    <I18nProvider locale={language.locale}>
      <RouterProvider navigate={navigate}>{children}</RouterProvider>
    </I18nProvider>
  )
}
