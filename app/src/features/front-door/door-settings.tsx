import type { ReactNode } from 'react'
import type { AuthSettings } from '#api/auth-settings.ts'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useAuthSettings } from './auth-settings-query.ts'

/** Draws what the project allows once it has told; it asks again where the project does not answer. */
export function WithSettings({ children }: { children: (settings: AuthSettings) => ReactNode }) {
  const settings = useAuthSettings()
  const { frontDoor: words, errors, ui } = useMessages()

  if (settings.isPending) return <Skeleton label={ui.loading} lines={3} />
  if (settings.isError) {
    return (
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
    )
  }
  return children(settings.data)
}
