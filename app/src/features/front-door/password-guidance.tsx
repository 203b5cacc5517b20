import { usePasswordGuidance } from '#session/use-password-guidance.ts'
import { PasswordGuidance as Guidance } from '#ui/password-guidance.tsx'

/** Below a new password; its words are of the area `ways`. */
export const PasswordGuidance = ({ password, known }: { password: string; known: readonly string[] }) => <Guidance {...usePasswordGuidance(password, known)} />
