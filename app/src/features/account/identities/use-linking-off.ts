import { useState } from 'react'
import { useProject } from '#session/session.tsx'

/** The project does not tell; what a refusal has told is believed for a day. */
const lifetimeMs = 24 * 60 * 60_000

/** Whether the project has said that people do not connect accounts by themselves; remembered by this browser. */
export function useLinkingOff(): [isOff: boolean, setOff: () => void] {
  const { id } = useProject()
  const key = `portico.no-linking.${id}`
  const [isOff, setOff] = useState(() => Date.now() - Number(localStorage.getItem(key) ?? Number.NaN) < lifetimeMs)
  return [isOff, () => (localStorage.setItem(key, String(Date.now())), setOff(true))]
}
