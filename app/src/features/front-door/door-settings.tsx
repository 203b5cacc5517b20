import type { ReactNode } from 'react'
import type { AuthSettings } from '#api/auth-settings.ts'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useAuthSettings } from './auth-settings-query.ts'

interface WithSettingsProps {
  /** What most projects allow: drawn until this one has told, so that nobody waits to begin typing. */
  assumed?: AuthSettings
  children: (settings: AuthSettings) => ReactNode
}

/** Draws what the project allows; it offers to ask again where the project does not answer. */
export function WithSettings({ assumed, children }: WithSettingsProps) {
  const settings = useAuthSettings()
  const { frontDoor: words, errors, ui } = useMessages()
  const known = settings.data ?? assumed

  return (
    <>
      {settings.isError && (
        <Banner
          tone="danger"
          title={words.signIn.settingsFailed}
          action={
            <Button pending={settings.isFetching} onClick={() => void settings.refetch()}>
              {words.tryAgain}
            </Button>
          }
        >
          {explain(settings.error, errors).whatToDo}
        </Banner>
      )}
      {settings.isPending && !assumed && <Skeleton label={ui.loading} lines={3} />}
      {known && children(known)}
    </>
  )
}
