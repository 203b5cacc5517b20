import { z } from 'zod'

import { recordAudit } from '#services/auth/audit-log.ts'
import type { Auth } from '#services/auth/auth.ts'
import { readBody, type Call } from '#services/auth/call.ts'
import { authError, invalidRequest, oauthError } from '#services/auth/errors.ts'
import { admit, onceMoreAfterRace } from '#services/auth/providers/accounts.ts'
import { identityOf, type ProvidedIdentity } from '#services/auth/providers/profile.ts'
import { beginSession, type Grant } from '#services/auth/sessions.ts'
import { isFirstTime } from '#services/auth/shared-limits.ts'
import { grantReply, type TokenGrant } from '#services/auth/token-grants.ts'

import { ethereumForm, isSignedByEthereum, readEthereumSignature } from './ethereum.ts'
import { readSignedMessage, type MessageForm, type SignedMessage } from './signed-message.ts'
import { isSignedBySolana, readSolanaSignature, solanaForm } from './solana.ts'

/** The chains whose accounts can sign in. */
export type Chain = 'ethereum' | 'solana'

interface ChainRules {
  form: MessageForm
  readSignature(given: string): Uint8Array
  isSigned(message: SignedMessage, signature: Uint8Array): boolean
}

const rulesOf: Readonly<Record<Chain, ChainRules>> = {
  ethereum: { form: ethereumForm, readSignature: readEthereumSignature, isSigned: isSignedByEthereum },
  solana: { form: solanaForm, readSignature: readSolanaSignature, isSigned: isSignedBySolana },
}

const text = z.string().nullish().transform((given) => given ?? '')
const web3Body = z.object({ message: text, signature: text, chain: text })

/** Longest time between signing and signing in, either way: clocks differ. */
const longestValiditySeconds = 600

const isThisMachine = (host: string): boolean => host === 'localhost' || host === '127.0.0.1'

/** @throws `invalid_grant` (400) for a message that was signed for another app, or at another time. */
function requireMeantForUs(auth: Auth, { uri, domain, issuedAt, expiresAt, notBefore }: SignedMessage, chain: string): void {
  const refuse = (words: string) => oauthError('invalid_grant', words)
  const isLocal = isThisMachine(uri.hostname)
  if (uri.protocol !== 'https:' && !isLocal) throw refuse(`Signed ${chain} message is using URI which does not use HTTPS`)
  if (!auth.redirects.isAllowed(uri.href)) {
    throw refuse(`Signed ${chain} message is using URI which is not allowed on this server, message was signed for another app`)
  }
  // The wallet showed the domain, and the person signed for that one: another site could have asked for our address on this machine.
  if (uri.host !== domain.toLowerCase() || (!isLocal && !auth.redirects.isAllowed(`https://${domain}/`))) {
    throw refuse(`Signed ${chain} message is using a Domain that does not match the one in URI which is not allowed on this server`)
  }
  const nowMs = auth.now().getTime()
  if (notBefore && nowMs < notBefore.getTime()) throw refuse(`Signed ${chain} message becomes valid in the future`)
  if (expiresAt && nowMs > expiresAt.getTime()) throw refuse(`Signed ${chain} message is expired`)
  const ageSeconds = (nowMs - issuedAt.getTime()) / 1000
  if (ageSeconds > longestValiditySeconds) throw refuse(`${chain} message was issued too long ago`)
  if (ageSeconds < -longestValiditySeconds) throw refuse(`${chain} message was issued too far in the future`)
}

/** A message lets in once, until it is too old to: whoever reads one on its way comes too late. */
async function requireFirstTime(auth: Auth, { text }: SignedMessage, chain: string): Promise<void> {
  const until = new Date(auth.now().getTime() + 2 * longestValiditySeconds * 1000)
  if (!(await isFirstTime(auth, { what: 'wallet', id: text, until }))) throw oauthError('invalid_grant', `${chain} message has already been used`)
}

function walletIdentity(chain: Chain, { address, chainId, domain, statement }: SignedMessage): ProvidedIdentity {
  const subject = `web3:${chain}:${address}`
  const claims = { address, chain, network: chainId, domain, statement: statement ?? '' }
  return identityOf({ emails: [], claims: { sub: subject, custom_claims: claims } })
}

async function signInByWallet(auth: Auth, call: Call, { chain, message }: { chain: Chain; message: SignedMessage }): Promise<Grant> {
  const identity = walletIdentity(chain, message)
  return onceMoreAfterRace(() =>
    auth.transact(async (tx) => {
      const outcome = await admit(auth, tx, { provider: 'web3', identity, emailOptional: true, redirectTo: auth.settings.siteUrl })
      if (outcome.kind === 'refused') throw outcome.failure
      const { address, domain, chainId, uri } = message
      await recordAudit(auth, tx, { actor: outcome.user, action: 'login', traits: { provider: 'web3', chain, network: chainId, address, domain, uri: uri.href } })
      return beginSession(auth, tx, { user: outcome.user, method: 'web3', call })
    }),
  )
}

/**
 * `POST /token?grant_type=web3`: signs in whoever signed a message for this app with the account it names.
 *
 * @throws `web3_provider_disabled` (422), `web3_unsupported_chain`, `validation_failed`, `invalid_grant` (400).
 * @see supabase/auth internal/api/web3.go
 */
export const web3Grant: TokenGrant = async (auth, call) => {
  const { web3 } = auth.settings
  if (!web3.ethereum && !web3.solana) throw authError('web3_provider_disabled')
  const given = await readBody(call, web3Body)
  const chain = given.chain
  if (chain !== 'ethereum' && chain !== 'solana') throw authError('web3_unsupported_chain', { message: 'Unsupported chain' })
  auth.limits.spend('web3', call.context.ip)
  const { form, readSignature, isSigned } = rulesOf[chain]
  if (!web3[chain]) throw authError('web3_provider_disabled', { message: `${form.chain} Web3 provider is disabled` })
  if (given.message.length < 64) throw invalidRequest('message is too short')
  if (Buffer.byteLength(given.message) > 20 * 1024) throw invalidRequest('message must not exceed 20KB')
  const signature = readSignature(given.signature)
  const message = readSignedMessage(given.message, form)
  if (!isSigned(message, signature)) throw oauthError('invalid_grant', 'Signature does not match address in message')
  requireMeantForUs(auth, message, form.chain)
  await requireFirstTime(auth, message, form.chain)
  return grantReply(call, await signInByWallet(auth, call, { chain, message }))
}
