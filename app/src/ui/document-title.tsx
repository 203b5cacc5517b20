import { useEffect } from 'react'
import { useUi } from './ui-provider.tsx'

/** Names the page in the tab and in the history: "Tickets · Helpdesk". The innermost one on the screen wins. */
export function DocumentTitle({ children }: { children: string }) {
  const { siteName } = useUi()
  useEffect(() => {
    document.title = children === siteName ? siteName : `${children} · ${siteName}`
  }, [children, siteName])
  return null
}
