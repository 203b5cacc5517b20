import type { Client, User } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'

/** Kinds a person can set up. */
export type FactorKind = 'totp' | 'phone' | 'webauthn'

/** A second factor as the account shows it. */
export interface OwnFactor {
  id: string
  kind: FactorKind | 'other'
  /** What the person called it; may be empty. */
  name: string
  createdAt: string
  /** Undefined where the server does not tell, or it was never asked for. */
  lastUsedAt: string | undefined
}

const known: ReadonlySet<string> = new Set<FactorKind>(['totp', 'phone', 'webauthn'])

/** The person's verified factors, oldest first; recovery codes stand apart. */
export function listOwnFactors({ factors }: Pick<User, 'factors'>): OwnFactor[] {
  return (factors ?? [])
    .filter(({ status, factor_type: type }) => status === 'verified' && (type as string) !== 'recovery_code')
    .map((factor) => {
      const { id, factor_type: type, friendly_name: name = '', created_at: createdAt } = factor
      const lastUsedAt = 'last_challenged_at' in factor && typeof factor.last_challenged_at === 'string' ? factor.last_challenged_at : undefined
      return { id, kind: known.has(type) ? (type as FactorKind) : ('other' as const), name, createdAt, lastUsedAt }
    })
    .sort((a, b) => a.createdAt.localeCompare(b.createdAt))
}

export const hasRecoveryCodes = ({ factors }: Pick<User, 'factors'>): boolean =>
  factors?.some(({ status, factor_type: type }) => status === 'verified' && (type as string) === 'recovery_code') ?? false

/** A name none of the person's factors has: the server refuses a second of the same, unfinished ones included. */
export function freeName(wanted: string, taken: Iterable<string>): string {
  const names = new Set(taken)
  for (let count = 2; names.has(wanted); count += 1) {
    const next = `${wanted.replace(/ \d+$/, '')} ${count}`
    if (!names.has(next)) return next
  }
  return wanted
}

/** Removes what earlier tries of this kind left half done, and gives the names that are taken by the rest. */
export async function clearUnfinished({ auth }: Client, kind: FactorKind): Promise<string[]> {
  const { all } = await unwrap(auth.mfa.listFactors())
  const isLeft = ({ status, factor_type: type }: (typeof all)[number]) => status === 'unverified' && type === kind
  // One that is gone already is as good as removed; one that stays makes the server say why.
  await Promise.all(all.filter(isLeft).map(({ id }) => auth.mfa.unenroll({ factorId: id })))
  return all.filter((factor) => !isLeft(factor)).map(({ friendly_name: name = '' }) => name)
}
