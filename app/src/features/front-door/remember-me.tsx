import { useEffect, useState } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { useConnection } from '#session/session.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { useDoor } from './door-ways.ts'

/** Whether the session outlives the window; asked only where the operator wants it asked. Set before anything signs in. */
export function RememberMe() {
  const { rememberMe } = useDoor()
  const { cookies } = useConnection()
  const { frontDoor: words } = useMessages()
  const [isLasting, setLasting] = useState(() => cookies.isLasting())
  useEffect(() => cookies.setLasting(isLasting || !rememberMe), [cookies, isLasting, rememberMe])
  return rememberMe && <Checkbox label={words.signIn.stay} checked={isLasting} onChange={(event) => setLasting(event.target.checked)} />
}
