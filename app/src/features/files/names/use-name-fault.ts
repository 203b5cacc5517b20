import { useMessages } from '#messages/messages.tsx'
import { nameFault } from './object-name.ts'

/** Says in words why a name cannot be used; undefined when it can. */
export function useNameFault(): (name: string) => string | undefined {
  const { files: words } = useMessages()
  return (name) => {
    const fault = nameFault(name)
    return fault === undefined ? undefined : words.nameFaults[fault]
  }
}
