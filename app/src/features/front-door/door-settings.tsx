import { useEffect, useState, type ReactNode } from 'react'
import type { AuthSettings } from '#api/auth-settings.ts'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { useDoorSettings } from './settings-store.ts'

interface WithSettingsProps {
  /** What most projects allow: drawn when this one takes long to tell, so that nobody waits to begin typing. */
  assumed?: AuthSettings
  children: (settings: AuthSettings) => ReactNode
}

/** An answer within this comes before anything is drawn, so that nothing moves once it is there. */
const patienceMs = 400

/** Draws what the project allows; it offers to ask again where the project does not answer. */
export function WithSettings({ assumed, children }: WithSettingsProps) {
  const { data, error, isAsking, ask } = useDoorSettings()
  const { frontDoor: words, errors } = useMessages()
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patienceMs)
    return () => clearTimeout(timer)
  }, [])
  const known = data ?? (isLate || error ? assumed : undefined)

  return (
    <>
      {error && (
        <Banner
          tone="danger"
          title={words.signIn.settingsFailed}
          action={
            <Button pending={isAsking} onClick={ask}>
              {words.tryAgain}
            </Button>
          }
        >
          {explain(error, errors).whatToDo}
        </Banner>
      )}
      {known && children(known)}
    </>
  )
}
