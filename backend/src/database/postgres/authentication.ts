import { createHash, createHmac, pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const deriveKey = promisify(pbkdf2)
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
const md5 = (...parts: (string | Buffer)[]): string => parts.reduce((hash, part) => hash.update(part), createHash('md5')).digest('hex')

/** The answer to an MD5 challenge. */
export const md5Response = (user: string, password: string, salt: Buffer): string => `md5${md5(md5(password, user), salt)}`

// A server that asks for more would only want to keep us busy; Postgres' own default is 4,096.
const mostIterations = 1_000_000

function attributes(message: string): Map<string, string> {
  return new Map(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]))
}

/** The client's side of SCRAM-SHA-256 (RFC 5802, RFC 7677), without channel binding. */
export class ScramClient {
  readonly mechanism = 'SCRAM-SHA-256'
  readonly #password: string
  readonly #nonce = randomBytes(18).toString('base64')
  #serverSignature: Buffer | undefined
  /** `due` from our first word until the server has proven itself. */
  #serverProof: 'not asked' | 'due' | 'given' = 'not asked'

  constructor(password: string) {
    // SASLprep's normal form; what it maps besides is not found in passwords that Postgres has accepted as they are.
    this.#password = password.normalize('NFKC')
  }

  // Postgres takes the user's name from the startup message and ignores this one.
  get #firstBare(): string {
    return `n=,r=${this.#nonce}`
  }

  first(): string {
    this.#serverProof = 'due'
    return `n,,${this.#firstBare}`
  }

  /** @throws when the server's message is malformed or not an answer to ours. */
  async final(serverFirst: string): Promise<string> {
    const given = attributes(serverFirst)
    const nonce = given.get('r') ?? ''
    const iterations = Number(given.get('i'))
    const salt = Buffer.from(given.get('s') ?? '', 'base64')
    const sane = nonce.startsWith(this.#nonce) && nonce.length > this.#nonce.length && salt.length > 0
    if (!sane || !Number.isInteger(iterations) || iterations < 1 || iterations > mostIterations) throw new Error('the server sent a malformed SCRAM challenge')
    const salted = await deriveKey(this.#password, salt, iterations, 32, 'sha256')
    const clientKey = hmac(salted, 'Client Key')
    const storedKey = createHash('sha256').update(clientKey).digest()
    const withoutProof = `c=biws,r=${nonce}`
    const signed = `${this.#firstBare},${serverFirst},${withoutProof}`
    const signature = hmac(storedKey, signed)
    this.#serverSignature = hmac(hmac(salted, 'Server Key'), signed)
    const proof = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0)))
    return `${withoutProof},p=${proof.toString('base64')}`
  }

  /** @throws when the server lets us in without having proven that it knows the password. */
  checkProven(): void {
    if (this.#serverProof === 'due') throw new Error('the server did not prove that it knows the password')
  }

  /** @throws when the server does not prove that it knows the password. */
  verify(serverFinal: string): void {
    const proof = Buffer.from(attributes(serverFinal).get('v') ?? '', 'base64')
    const expected = this.#serverSignature
    if (!expected || proof.length !== expected.length || !timingSafeEqual(proof, expected)) throw new Error('the server could not prove that it knows the password')
    this.#serverProof = 'given'
  }
}
