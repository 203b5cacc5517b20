import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openTestAuth, type TestAuth } from '#services/auth/open-test-auth.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openTestAuth({ settings: { siteUrl: 'https://app.example.com', redirectAllowList: ['https://shop.example.com/**'], web3: { ethereum: true, solana: true } } })
})
afterAll(() => auth.close())

interface EthereumWallet {
  address: string
  signText(text: string): string
  request(asked: { method: string; params?: readonly unknown[] }): Promise<unknown>
}

function ethereumWallet(): EthereumWallet {
  const secret = secp256k1.utils.randomSecretKey()
  const address = `0x${Buffer.from(keccak_256(secp256k1.getPublicKey(secret, false).subarray(1)).subarray(12)).toString('hex')}`
  const signText = (text: string) => {
    const bytes = Buffer.from(text)
    const hash = keccak_256(Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${bytes.byteLength}`), bytes]))
    const [recovery = 0, ...rest] = secp256k1.sign(hash, secret, { prehash: false, format: 'recovered' })
    return `0x${Buffer.from([...rest, recovery + 27]).toString('hex')}`
  }
  const answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_requestAccounts: () => [address],
    eth_chainId: () => '0x1',
    personal_sign: ([hex]) => signText(Buffer.from(String(hex).slice(2), 'hex').toString()),
  }
  return { address, signText, request: async ({ method, params = [] }) => answers[method]?.(params) }
}

function solanaWallet() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const key = Buffer.from((publicKey as KeyObject).export({ format: 'jwk' }).x ?? '', 'base64url')
  return { key, address: base58.encode(key), publicKey: { toBase58: () => base58.encode(key) }, signMessage: async (message: Uint8Array) => new Uint8Array(sign(null, message, privateKey)), privateKey }
}

const at = (url: string) => ({ url })
const byEthereum = (wallet: EthereumWallet, options: object = at('https://shop.example.com/')) =>
  auth.client().auth.signInWithWeb3({ chain: 'ethereum', wallet: wallet as never, statement: 'I agree to the terms.', options })
const bySolana = (wallet: object, options: object = at('https://shop.example.com/')) => auth.client().auth.signInWithWeb3({ chain: 'solana', wallet: wallet as never, statement: 'Hello', options })

const ask = async (body: object) => {
  const answer = await auth.ask('/token?grant_type=web3', { method: 'POST', body })
  return { status: answer.status, ...((await answer.json()) as { code?: string; message?: string; error?: string; error_description?: string }) }
}

interface Spelling {
  domain?: string
  uri?: string
  issued?: string
  more?: readonly string[]
}
const textOf = (address: string, { domain = 'shop.example.com', uri = 'https://shop.example.com/', issued = new Date().toISOString(), more = [] }: Spelling = {}) =>
  [`${domain} wants you to sign in with your Ethereum account:`, address, '', `URI: ${uri}`, 'Version: 1', 'Chain ID: 1', 'Nonce: abcdefgh', `Issued At: ${issued}`, ...more].join('\n')
const askWith = (wallet: EthereumWallet, spelling: Spelling) => {
  const message = textOf(wallet.address, spelling)
  return ask({ chain: 'ethereum', message, signature: wallet.signText(message) })
}

describe('a wallet', () => {
  it('signs a person in by Ethereum, the same one again', async () => {
    const wallet = ethereumWallet()
    const { data, error } = await byEthereum(wallet)
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email: '', app_metadata: { provider: 'web3', providers: ['web3'] }, user_metadata: { custom_claims: { address: wallet.address, chain: 'ethereum', network: '1', domain: 'shop.example.com' } } })
    expect(data.user?.identities?.[0]).toMatchObject({ provider: 'web3', id: `web3:ethereum:${wallet.address}` })
    const claims = JSON.parse(Buffer.from(data.session?.access_token.split('.')[1] ?? '', 'base64url').toString()) as { amr: { method: string }[]; aal: string }
    expect([claims.amr[0]?.method, claims.aal]).toEqual(['web3', 'aal1'])
    expect((await byEthereum(wallet)).data.user?.id).toBe(data.user?.id)
    expect((await byEthereum(ethereumWallet())).data.user?.id).not.toBe(data.user?.id)
  })

  it('signs a person in by Solana, from a wallet and from a hardware key', async () => {
    const wallet = solanaWallet()
    const { data, error } = await bySolana(wallet)
    expect(error).toBeNull()
    const message = `shop.example.com wants you to sign in with your Solana account:\n${wallet.address}\n\nVersion: 1\nURI: https://shop.example.com/\nIssued At: ${new Date().toISOString()}`
    const domain = Buffer.alloc(32)
    domain.write('shop.example.com')
    const length = Buffer.alloc(2)
    length.writeUInt16LE(Buffer.byteLength(message))
    const offChain = Buffer.concat([Buffer.from([255]), Buffer.from('solana offchain'), Buffer.from([0]), domain, Buffer.from([0, 1]), wallet.key, length, Buffer.from(message)])
    const signature = sign(null, offChain, wallet.privateKey).toString('base64url')
    const { data: again, error: failed } = await auth.client().auth.signInWithWeb3({ chain: 'solana', message, signature: Buffer.from(signature, 'base64url') as never })
    expect(failed).toBeNull()
    expect(again.user?.id).toBe(data.user?.id)
  })

  it('signs in on this machine without https', async () => {
    for (const url of ['http://localhost:3000/', 'http://127.0.0.1:54321/']) {
      const local = await openTestAuth({ settings: { siteUrl: url, web3: { ethereum: true, solana: false } }, database: auth.database })
      const { error } = await local.client().auth.signInWithWeb3({ chain: 'ethereum', wallet: ethereumWallet() as never, options: { url } })
      expect(error, url).toBeNull()
    }
  })
})

describe('a signed message is refused', () => {
  it('the second time, also when many send it at once', async () => {
    const wallet = ethereumWallet()
    const message = textOf(wallet.address)
    const sent = { chain: 'ethereum', message, signature: wallet.signText(message) }
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(sent)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    // The other spelling of the same signature, and the other recovery byte.
    const again = `0x${sent.signature.slice(2, -2)}${(Number.parseInt(sent.signature.slice(-2), 16) - 27).toString(16).padStart(2, '0')}`
    expect(await ask({ ...sent, signature: again })).toMatchObject({ status: 400, error: 'invalid_grant', error_description: 'Ethereum message has already been used' })
    auth.clock.advance(700)
    expect(await ask(sent)).toMatchObject({ status: 400, error: 'invalid_grant' })
    auth.clock.advance(-700)
  })

  it('when another site had it signed for an address of this machine', async () => {
    // A project that is worked on, or whose allow list still names the machine it was made on.
    const local = await openTestAuth({
      settings: { siteUrl: 'https://app.example.com', redirectAllowList: ['http://localhost:3000/**'], web3: { ethereum: true, solana: true } },
      database: auth.database,
    })
    const wallet = ethereumWallet()
    const askThere = async (domain: string) => {
      const message = textOf(wallet.address, { domain, uri: 'http://localhost:3000/' })
      const answer = await local.ask('/token?grant_type=web3', { method: 'POST', body: { chain: 'ethereum', message, signature: wallet.signText(message) } })
      return answer.status
    }
    expect(await askThere('localhost:3000')).toBe(200)
    for (const domain of ['evil.example', 'localhost', 'localhost:3001', '127.0.0.1:3000', 'app.example.com']) expect(await askThere(domain), domain).toBe(400)
  })

  it('when another account signed it, or it was changed', async () => {
    const message = textOf(ethereumWallet().address)
    const words = { status: 400, error: 'invalid_grant', error_description: 'Signature does not match address in message' }
    expect(await ask({ chain: 'ethereum', message, signature: ethereumWallet().signText(message) })).toMatchObject(words)
    expect(await ask({ chain: 'ethereum', message, signature: `0x${'00'.repeat(65)}` })).toMatchObject(words)
    expect(await ask({ chain: 'ethereum', message, signature: 'zz'.repeat(65) })).toMatchObject(words)
  })

  it.each([
    ['for another app', { domain: 'evil.example', uri: 'https://evil.example/' }],
    ['for another app whose wallet showed ours', { uri: 'https://evil.example/' }],
    ['where the wallet showed another app', { domain: 'evil.example' }],
    ['without https', { uri: 'http://shop.example.com/' }],
    ['that leads elsewhere behind our name', { uri: 'https://shop.example.com@evil.example/' }],
    ['a quarter of an hour ago', { issued: new Date(Date.now() - 900_000).toISOString() }],
    ['in a quarter of an hour', { issued: new Date(Date.now() + 900_000).toISOString() }],
    ['and has expired', { issued: new Date(Date.now() - 60_000).toISOString(), more: [`Expiration Time: ${new Date(Date.now() - 1000).toISOString()}`] }],
    ['and is not valid yet', { more: [`Not Before: ${new Date(Date.now() + 3_600_000).toISOString()}`] }],
  ] satisfies [string, Spelling][])('when it was signed %s', async (_, spelling) => {
    expect(await askWith(ethereumWallet(), spelling)).toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  it.each([
    [{ domain: 'shop example' }, 'siwe: domain in first line of message is not valid'],
    [{ issued: 'yesterday' }, 'siwe: Issued At is not a valid ISO8601 timestamp'],
    [{ uri: 'shop' }, 'siwe: URI is not valid'],
    [{ more: ['nonsense'] }, 'siwe: encountered unparsable line at index 8'],
    [{ more: ['URI: https://evil.example/'] }, 'siwe: URI is given twice'],
    [{ more: ['Resources:', '- https://a.example/', '- nowhere'] }, 'siwe: Resource at position 1 has invalid URI'],
  ] satisfies [Spelling, string][])('when it is no such message: %j', async (spelling, message) => {
    expect(await askWith(ethereumWallet(), spelling)).toMatchObject({ status: 400, code: 'validation_failed', message })
  })

  it('when its size, its signature or its chain is none', async () => {
    const wallet = ethereumWallet()
    const message = textOf(wallet.address)
    expect(await ask({ chain: 'bitcoin', message, signature: '' })).toMatchObject({ status: 400, code: 'web3_unsupported_chain' })
    expect(await ask({ chain: 'ethereum', message: 'short', signature: '' })).toMatchObject({ code: 'validation_failed', message: 'message is too short' })
    expect(await ask({ chain: 'ethereum', message: 'x'.repeat(21_000), signature: '' })).toMatchObject({ message: 'message must not exceed 20KB' })
    expect(await ask({ chain: 'ethereum', message, signature: '0x12' })).toMatchObject({ code: 'validation_failed' })
    expect(await ask({ chain: 'solana', message, signature: 'x' })).toMatchObject({ code: 'validation_failed' })
  })

  it('where the project takes no wallets, or not of this chain', async () => {
    const refuse = async (web3: { ethereum: boolean; solana: boolean }) => {
      const other = await openTestAuth({ settings: { web3 }, database: auth.database })
      return (await other.client().auth.signInWithWeb3({ chain: 'ethereum', wallet: ethereumWallet() as never, options: at('http://localhost:3000/') })).error
    }
    expect(await refuse({ ethereum: false, solana: false })).toMatchObject({ status: 422, code: 'web3_provider_disabled' })
    expect(await refuse({ ethereum: false, solana: true })).toMatchObject({ status: 422, code: 'web3_provider_disabled', message: 'Ethereum Web3 provider is disabled' })
  })
})
