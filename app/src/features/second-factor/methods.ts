import type { User } from '#api/client.ts'

/** One way to show a second factor. */
export interface Method {
  kind: 'totp' | 'phone' | 'webauthn' | 'recovery'
  /** The factor's id. */
  id: string
  /** What the person called it; may be empty. */
  name: string
}

const kinds: Readonly<Record<string, Method['kind']>> = { totp: 'totp', phone: 'phone', webauthn: 'webauthn', recovery_code: 'recovery' }
/** Quickest first; recovery codes are for when all else is lost, whatever was used last. */
const order: readonly Method['kind'][] = ['webauthn', 'totp', 'phone', 'recovery']

/** The person's verified factors, the one used last first. A kind this app does not know is left out. */
export function listMethods({ factors }: Pick<User, 'factors'>, lastUsed: string | null): Method[] {
  const rank = ({ kind, id }: Method) => (kind !== 'recovery' && id === lastUsed ? -1 : order.indexOf(kind))
  return (factors ?? [])
    .filter(({ status }) => status === 'verified')
    .flatMap(({ id, factor_type: type, friendly_name: name = '' }) => (kinds[type] ? [{ kind: kinds[type], id, name }] : []))
    .sort((a, b) => rank(a) - rank(b))
}

const keyOf = (projectId: string, userId: string) => `portico.last-factor.${projectId}.${userId}`

export const lastUsedMethod = (projectId: string, userId: string): string | null => localStorage.getItem(keyOf(projectId, userId))

/** Offered first the next time, in this browser. */
export const rememberMethod = (projectId: string, userId: string, factorId: string): void => localStorage.setItem(keyOf(projectId, userId), factorId)
