import type { Client } from '#api/client.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'

/** Makes the first set of codes. Undefined where the project has none to give, or could not now: the account offers them later. */
export async function createCodes({ auth }: Client): Promise<readonly string[] | undefined> {
  const { data } = await auth.mfa.recoveryCodes.generate()
  return data?.codes
}

/** Makes the first set for a person who asked for it. @throws AppError */
export const demandCodes = async ({ auth }: Client): Promise<readonly string[]> => (await unwrap(auth.mfa.recoveryCodes.generate())).codes

/** Voids the codes in hand and makes new ones. @throws AppError */
export const renewCodes = async ({ auth }: Client): Promise<readonly string[]> => (await unwrap(auth.mfa.recoveryCodes.regenerate())).codes

/** How many are left; `none` where there is no set yet, `not-offered` where the project knows no such codes. */
export type CodesStatus = { kind: 'some'; remaining: number; total: number } | { kind: 'none' } | { kind: 'not-offered' }

/** @throws AppError when the project did not answer */
export async function readCodesStatus({ auth }: Client): Promise<CodesStatus> {
  const { data, error } = await auth.mfa.recoveryCodes.getStatus()
  if (data) return { kind: 'some', remaining: data.remaining, total: data.total }
  const failure = toAppError(error)
  if (failure.code === 'mfa_factor_not_found') return { kind: 'none' }
  // An older auth service takes the word for the id of a factor, and has no such address.
  if (failure.kind === 'offline' || failure.kind === 'busy' || failure.kind === 'signed-out') throw failure
  return { kind: 'not-offered' }
}

/** In groups of four, easier to write down: `abcd-efgh-ijkl-mnop`. The server ignores the dashes. */
export const writeCode = (code: string): string => code.match(/.{1,4}/g)?.join('-') ?? code
