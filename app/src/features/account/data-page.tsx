import { useMessages } from '#messages/messages.tsx'
import { AccountFrame } from './account-frame.tsx'
import { AppsSection } from './apps/apps-section.tsx'
import { ExportSection } from './own-data/export-section.tsx'
import { RemoveSection } from './own-data/remove-section.tsx'

/** `/account/data`: who else has access, what there is, and how to leave. */
export function DataPage() {
  const { account: words } = useMessages()
  return (
    <AccountFrame title={words.data}>
      <AppsSection />
      <ExportSection />
      <RemoveSection />
    </AccountFrame>
  )
}
