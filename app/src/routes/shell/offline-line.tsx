import { useSyncExternalStore } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { useOnline } from '#session/session.tsx'
import { Icon } from '#ui/icon.tsx'
import css from './offline-line.module.css'

/** A thin line at the top while the project does not answer. */
export function OfflineLine() {
  const { shell } = useMessages()
  const answers = useOnline()
  const connected = useSyncExternalStore(followNetwork, () => navigator.onLine)
  return (
    <div role="status">
      {!(answers && connected) && (
        <p className={css.line}>
          <Icon name="offline" size={14} />
          {shell.offline}
        </p>
      )}
    </div>
  )
}

function followNetwork(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
