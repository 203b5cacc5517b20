import type { Client } from '#api/client.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'

/** Words of a server that gives no codes: switched off, or older than they are, which takes the path for the id of a factor. */
const isNotOffered = (code: string, status: number) => code === 'mfa_recovery_codes_enroll_not_enabled' || code === 'validation_failed' || [404, 405, 501].includes(status)

/** No answer of the server's tells beforehand whether it has codes to give; the last refusal does, for a while. */
const refusedForMs = 7 * 24 * 60 * 60_000
const refusedKey = (projectId: string) => `portico.no-recovery-codes.${projectId}`
const isRefused = (projectId: string) => Date.now() - Number(localStorage.getItem(refusedKey(projectId)) ?? 0) < refusedForMs

async function generate({ auth }: Client, projectId: string): Promise<readonly string[]> {
  try {
    const { codes } = await unwrap(auth.mfa.recoveryCodes.generate())
    localStorage.removeItem(refusedKey(projectId))
    return codes
  } catch (cause) {
    const failure = toAppError(cause)
    if (isNotOffered(failure.code, failure.status)) localStorage.setItem(refusedKey(projectId), String(Date.now()))
    throw failure
  }
}

/** Makes the first set of codes. Undefined where the project has none to give, or could not now: the account offers them later. */
export const createCodes = (client: Client, projectId: string): Promise<readonly string[] | undefined> => generate(client, projectId).catch(() => undefined)

/** Makes the first set for a person who asked for it. @throws AppError */
export const demandCodes = generate

/** Voids the codes in hand and makes new ones. @throws AppError */
export const renewCodes = async ({ auth }: Client): Promise<readonly string[]> => (await unwrap(auth.mfa.recoveryCodes.regenerate())).codes

/** How many are left; `none` where there is no set yet, `not-offered` where the project knows no such codes. */
export type CodesStatus = { kind: 'some'; remaining: number; total: number } | { kind: 'none' } | { kind: 'not-offered' }

/** What is known of codes without asking, for those who have no set. */
export const withoutSet = (projectId: string): CodesStatus => ({ kind: isRefused(projectId) ? 'not-offered' : 'none' })

/** For those who have a set. @throws AppError when the project did not answer */
export async function readCodesStatus({ auth }: Client): Promise<CodesStatus> {
  const { data, error } = await auth.mfa.recoveryCodes.getStatus()
  if (data) return { kind: 'some', remaining: data.remaining, total: data.total }
  const failure = toAppError(error)
  // Taken away elsewhere a moment ago.
  if (failure.code === 'mfa_factor_not_found') return { kind: 'none' }
  throw failure
}

/** In groups of four, easier to write down: `abcd-efgh-ijkl-mnop`. The server ignores the dashes. */
export const writeCode = (code: string): string => code.match(/.{1,4}/g)?.join('-') ?? code
