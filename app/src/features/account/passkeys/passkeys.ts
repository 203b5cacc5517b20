import type { Client } from '#api/client.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'
import { unwrapCeremony } from '#api/ceremony.ts'

export interface Passkey {
  id: string
  /** May be empty. */
  name: string
  createdAt: string
  lastUsedAt: string | undefined
}

/** The person's passkeys; `undefined` where the project has none switched on. @throws AppError when it did not answer */
export async function readPasskeys({ auth }: Client): Promise<readonly Passkey[] | undefined> {
  const { data, error } = await auth.passkey.list()
  if (data) return data.map((passkey) => ({ id: passkey.id, name: passkey.friendly_name ?? '', createdAt: passkey.created_at, lastUsedAt: passkey.last_used_at }))
  const failure = toAppError(error)
  // An older auth service has no such address at all.
  if (failure.code === 'passkey_disabled' || failure.status === 404 || failure.status === 501) return undefined
  throw failure
}

/** Asks the browser for a passkey and gives it to the project. @throws AppError with a code of `toCeremonyError` */
export const addPasskey = async ({ auth }: Client): Promise<void> => void (await unwrapCeremony(() => auth.registerPasskey()))

/** @throws AppError */
export const renamePasskey = async ({ auth }: Client, passkeyId: string, friendlyName: string): Promise<void> => void (await unwrap(auth.passkey.update({ passkeyId, friendlyName })))

/** @throws AppError */
export const removePasskey = async ({ auth }: Client, passkeyId: string): Promise<void> => void (await unwrap(auth.passkey.delete({ passkeyId })))
