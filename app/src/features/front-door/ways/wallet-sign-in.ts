import { AppError } from '#api/app-error.ts'
import type { Client } from '#api/client.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'
import type { CaptchaOption } from '#features/front-door/use-captcha.ts'
import { NoAccount, openSolana } from './solana-wallets.ts'
import type { FoundWallet } from './use-wallets.ts'

type Request = Parameters<Client['auth']['signInWithWeb3']>[0]
type Ethereum = { request: (call: { method: string; params?: unknown }) => Promise<unknown> }

/**
 * What the wallet shows above the button to sign. Always English: both chains' messages take ASCII alone, and a wallet that is strict
 * refuses, or shows as bytes, what has anything else in it.
 *
 * @see https://eips.ethereum.org/EIPS/eip-4361
 */
export function statementFor(projectName: string): string {
  const plain = projectName
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return `Sign in to ${plain === '' ? 'this app' : plain}. This costs nothing and moves nothing.`
}

interface WalletCall {
  wallet: FoundWallet
  projectName: string
  /** Stands in what is signed; the project's list of allowed addresses has to name it. */
  url: string
  captcha: () => Promise<CaptchaOption>
}

/**
 * Signs in with a wallet's signature.
 *
 * @throws AppError `wallet_refused`, `wallet_locked`, `wallet_waiting`: the wallet's own no; `wallet_unproven`: its signature proves nothing to the
 *   server; else what the server says.
 */
export async function signInWithWallet(auth: Client['auth'], { wallet, projectName, url, captcha }: WalletCall): Promise<unknown> {
  const options = { ...(await captcha()), url }
  const statement = statementFor(projectName)
  // The client forgets why a wallet said no: it is noted on the way.
  const noted: { cause?: unknown } = {}
  const note = (cause: unknown): never => {
    noted.cause ??= cause
    throw cause
  }
  const refuse = (cause: unknown): never => {
    throw toRefusal(noted.cause ?? cause)
  }
  const signer = wallet.chain === 'ethereum' ? openEthereum(wallet.provider as Ethereum, note) : await openSolana(wallet.provider).catch(refuse)
  return unwrap(auth.signInWithWeb3({ chain: wallet.chain, statement, wallet: signer, options } as Request).catch(refuse)).catch(explainProof)
}

/** What the server finds wrong with a message or its signature has no code of its own. */
function explainProof(failure: unknown): never {
  const error = toAppError(failure)
  if (error.kind !== 'invalid' || !unproven.has(error.code)) throw error
  throw new AppError('invalid', error.message, { code: 'wallet_unproven', status: error.status, cause: error })
}

const unproven = new Set(['', 'invalid_grant', 'validation_failed', 'invalid_credentials', 'bad_json'])

const openEthereum = (provider: Ethereum, note: (cause: unknown) => never): Ethereum => ({
  request: async (call) => {
    const answer = await provider.request(call).catch(note)
    if (call.method === 'eth_requestAccounts' && !(Array.isArray(answer) && answer.length > 0)) return note(new NoAccount())
    return answer
  },
})

/** EIP-1193: not authorised. */
const unauthorised = 4100
/** EIP-1474: a question of the same kind stands open in the wallet. */
const askedAlready = -32_002

function toRefusal(cause: unknown): AppError {
  const number = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  const code = number === askedAlready ? 'wallet_waiting' : number === unauthorised || cause instanceof NoAccount ? 'wallet_locked' : 'wallet_refused'
  return new AppError('invalid', cause instanceof Error ? cause.message : String(cause), { code, cause })
}
