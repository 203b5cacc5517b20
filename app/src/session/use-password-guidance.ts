import { usualDoor } from '#door.ts'
import { useMessages } from '#messages/messages.tsx'
import { hasClass, strengthOf } from './password-strength.ts'
import { useProject } from './session.tsx'

/** What can be said of a new password while it is typed: the project's rules, and how hard it is to guess. Its words are of the area `ways`. */
export interface PasswordGuidance {
  strength: { step: number; text: string } | undefined
  rules: readonly { text: string; isMet: boolean; note: string }[]
}

/** @param known what others know of the person: their address, their name. */
export function usePasswordGuidance(password: string, known: readonly string[]): PasswordGuidance {
  const { password: words } = useMessages().ways
  const { door = usualDoor, name } = useProject()
  const { minLength, classes } = door.password
  const step = strengthOf(password, [...known, name])
  const rules = [
    { text: words.atLeast(minLength), isMet: [...password].length >= minLength },
    ...classes.map((kind) => ({ text: words.classes[kind], isMet: hasClass(password, kind) })),
  ]
  return {
    strength: password === '' ? undefined : { step, text: `${words.strength}: ${words.strengths[step]}` },
    rules: rules.map((rule) => ({ ...rule, note: rule.isMet ? words.met : words.notMet })),
  }
}
