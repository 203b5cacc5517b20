import type { TokenFault } from '#contract/service.ts'
import { isServiceRole } from '#contract/caller.ts'
import { actorOf, type Actor } from './actor.ts'
import { accessDenied, roleRefused } from './errors.ts'
import type { Call } from './router.ts'

// What the hosted API's token library says.
const words: Readonly<Record<TokenFault, string>> = {
  malformed: 'Invalid Compact JWS',
  expired: '"exp" claim timestamp check failed',
  'not-yet-valid': '"nbf" claim timestamp check failed',
  'bad-signature': 'signature verification failed',
  'unknown-key': 'no applicable key found in the JSON Web Key Set',
  'wrong-issuer': 'unexpected "iss" claim value',
  'unknown-role': 'Access denied: Invalid role',
}

// The gateway refuses unknown keys, so one that came through is worth its role; without any, and without a token, nobody asks.
function isIdentified({ request, context }: Call): boolean {
  if (context.tokenFault !== undefined) return false
  if (context.token !== undefined || isServiceRole(context.caller)) return true
  return request.headers.has('apikey') || /^bearer\s+sb_/i.test(request.headers.get('authorization') ?? '') || new URL(request.url).searchParams.has('apikey')
}

/** Who asks; undefined for nobody, or with a token that is not accepted. */
export const findActor = (call: Call, operation: string): Actor | undefined => (isIdentified(call) ? actorOf(call.context.caller, operation) : undefined)

/**
 * Who asks.
 *
 * @throws `AccessDenied` (403) with what is wrong with the token.
 */
export function getActor(call: Call, operation: string): Actor {
  const actor = findActor(call, operation)
  if (!actor) throw accessDenied(words[call.context.tokenFault ?? 'malformed'])
  return actor
}

/** @throws `AccessDenied` (403) for whoever is not `service_role`. */
export function getServiceActor(call: Call, operation: string): Actor {
  const actor = getActor(call, operation)
  if (!isServiceRole(actor.caller)) throw roleRefused()
  return actor
}

/** The actor of a request that nobody needs to sign: a link's, or one to a public bucket. What it may is decided by the caller of this. */
export const anybody = ({ context }: Call, operation: string): Actor => ({
  caller: { ...context.caller, role: 'anon', claims: { role: 'anon' } },
  operation,
})
