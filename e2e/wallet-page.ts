/** What a wallet of a test is told when a page asks it something: answers as the method's own, or a refusal. */
export type Answer = { gives: unknown } | { refuses: { code?: number; message: string } }

type Ask = (wallet: string, method: string, input: unknown) => Promise<Answer>

interface Placed {
  name: string
  icon: string
  /** `signIn`, or only `signMessage`; Ethereum has one form. */
  form: 'ethereum' | 'solana-sign-in' | 'solana-sign-message' | 'solana-on-page'
}

/** Puts wallets into a page before its own scripts run, as extensions do; the keys and the decisions stay with the test. Runs in the page. */
export function placeWallets(wallets: readonly Placed[]): void {
  const page = globalThis as unknown as { askWallet: Ask; solana?: unknown }
  const ask = async (wallet: string, method: string, input: unknown): Promise<unknown> => {
    const answer = await page.askWallet(wallet, method, input)
    if ('gives' in answer) return answer.gives
    throw Object.assign(new Error(answer.refuses.message), answer.refuses)
  }
  const toText = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
  const toBytes = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))

  const ethereumOf = ({ name, icon }: Placed, index: number) => {
    const provider = { request: ({ method, params }: { method: string; params?: unknown }) => ask(name, method, params ?? []), on: () => {}, removeListener: () => {} }
    const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info: { uuid: `uuid-${index}`, name, icon, rdns: 'test.wallet' }, provider }) }))
    addEventListener('eip6963:requestProvider', announce)
    announce()
  }
  const solanaOf = ({ name, icon, form }: Placed) => {
    const account = async () => ({ address: String(await ask(name, 'connect', {})) })
    const signMessage = async (...inputs: { message: Uint8Array }[]) =>
      Promise.all(inputs.map(async ({ message }) => ({ signedMessage: message, signature: toBytes(String(await ask(name, 'signMessage', toText(message)))) })))
    const signIn = async (...inputs: { domain?: string; statement?: string; uri?: string; version?: string; issuedAt?: string }[]) =>
      Promise.all(
        inputs.map(async (input) => {
          const { address } = await account()
          const text = [`${input.domain} wants you to sign in with your Solana account:`, address, '', input.statement, '', `URI: ${input.uri}`, `Version: ${input.version}`, `Issued At: ${input.issuedAt}`].join('\n')
          const [signed] = await signMessage({ message: new TextEncoder().encode(text) })
          return { account: { address }, ...signed }
        }),
      )
    if (form === 'solana-on-page') {
      const legacy = {
        publicKey: null as null | { toBase58: () => string },
        connect: async () => {
          const { address } = await account()
          legacy.publicKey = { toBase58: () => address }
        },
        signMessage: async (message: Uint8Array) => (await signMessage({ message }))[0]?.signature,
      }
      page.solana = legacy
      return
    }
    const features = {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [await account()] }) },
      ...(form === 'solana-sign-in' ? { 'solana:signIn': { version: '1.0.0', signIn } } : { 'solana:signMessage': { version: '1.0.0', signMessage } }),
    }
    const wallet = { version: '1.0.0', name, icon, chains: ['solana:mainnet'], accounts: [], features }
    // Both halves of the handshake: whichever is there first is told by the other.
    const register = (api: { register: (wallet: unknown) => void }) => api.register(wallet)
    addEventListener('wallet-standard:app-ready', (event) => register((event as CustomEvent<{ register: (wallet: unknown) => void }>).detail))
    dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
  }
  for (const [index, placed] of wallets.entries()) {
    if (placed.form === 'ethereum') ethereumOf(placed, index)
    else solanaOf(placed)
  }
}
