import { createHash } from 'node:crypto'

import type { User } from '#services/auth/user.ts'

/** The kind of factor a set of recovery codes is. */
export const recoveryCode = 'recovery_code'

/** What is stored in place of a code; case, blanks and dashes do not count. */
export const recoveryCodeHash = (setId: string, code: string): string =>
  createHash('sha256').update(`${setId}:${code.toLowerCase().replace(/[\s-]/g, '')}`).digest('hex')

/** Whether a person has a verified factor that is none of recovery codes. */
export const hasOtherFactor = (user: User, exceptId?: string): boolean =>
  user.factors.some(({ id, status, factorType }) => id !== exceptId && status === 'verified' && factorType !== recoveryCode)
