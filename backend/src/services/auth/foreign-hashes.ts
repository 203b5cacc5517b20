import { createCipheriv, scrypt, timingSafeEqual } from 'node:crypto'

/** A password hash another system made. */
export type ForeignHash = { kind: 'argon2'; text: string } | { kind: 'firebase-scrypt'; scrypt: FirebaseScrypt }

interface FirebaseScrypt {
  cost: number
  blockSize: number
  parallelization: number
  saltSeparator: Buffer
  signerKey: Buffer
  salt: Buffer
  hash: Buffer
}

const argon2Form = /^\$argon2(?:i|id)\$v=19\$m=(\d{1,10}),t=(\d{1,5}),p=(\d{1,3})\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/
const base64 = '[A-Za-z0-9+/]*={0,2}'
const firebaseForm = new RegExp(`^\\$fbscrypt\\$v=1,n=(\\d{1,2}),r=(\\d{1,3}),p=(\\d{1,2})(?:,ss=(${base64}))?(?:,sk=(${base64}))?\\$(${base64})\\$(${base64})$`)

/** What one comparison may cost at most: 1 GiB, 20 rounds, 16 threads, as on the hosted backend. */
const mostKib = 1024 * 1024
const mostRounds = 20
const mostThreads = 16

function readArgon2(text: string): ForeignHash | undefined {
  const [, kib, rounds, threads] = argon2Form.exec(text) ?? []
  if (kib === undefined) return undefined
  const isBounded = Number(kib) <= mostKib && Number(rounds) >= 1 && Number(rounds) <= mostRounds && Number(threads) >= 1 && Number(threads) <= mostThreads
  return isBounded ? { kind: 'argon2', text } : undefined
}

function readFirebase(text: string): ForeignHash | undefined {
  const [, n, r, p, separator = '', signer = '', salt = '', hash = ''] = firebaseForm.exec(text) ?? []
  const [power, blockSize, parallelization] = [Number(n), Number(r), Number(p)]
  if (n === undefined || power < 1 || blockSize < 1 || parallelization < 1 || hash === '') return undefined
  if (power > 24 || (2 ** power * blockSize * 128) / 1024 > mostKib || parallelization > mostThreads) return undefined
  const [saltSeparator, signerKey, saltBytes, hashBytes] = [separator, signer, salt, hash].map((one) => Buffer.from(one, 'base64'))
  if (!saltSeparator || !signerKey || !saltBytes || !hashBytes) return undefined
  return { kind: 'firebase-scrypt', scrypt: { cost: 2 ** power, blockSize, parallelization, saltSeparator, signerKey, salt: saltBytes, hash: hashBytes } }
}

/**
 * Reads `$argon2i$…`, `$argon2id$…` and `$fbscrypt$…`. Undefined: none of them, or one that would cost too much to compare with.
 *
 * @see supabase/auth internal/crypto/password.go, `ParseArgon2Hash`, `ParseFirebaseScryptHash`
 */
export function readForeignHash(text: string): ForeignHash | undefined {
  if (text.startsWith('$argon2')) return readArgon2(text)
  return text.startsWith('$fbscrypt$') ? readFirebase(text) : undefined
}

function deriveKey(password: string, { cost, blockSize, parallelization, salt, saltSeparator }: FirebaseScrypt): Promise<Buffer> {
  const options = { cost, blockSize, parallelization, maxmem: 130 * cost * blockSize + 1024 * blockSize * parallelization }
  return new Promise((resolve, reject) => {
    scrypt(password, Buffer.concat([salt, saltSeparator]), 32, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

// The derived key encrypts the project's signer key; that is the hash.
async function matchesFirebase(password: string, given: FirebaseScrypt): Promise<boolean> {
  const cipher = createCipheriv('aes-256-ctr', await deriveKey(password, given), Buffer.alloc(16))
  const made = Buffer.concat([cipher.update(given.signerKey), cipher.final()])
  return made.length === given.hash.length && timingSafeEqual(made, given.hash)
}

/** Whether a password is the one a hash was made from. Off the event loop. */
export async function matchesForeignHash(password: string, hash: ForeignHash): Promise<boolean> {
  if (hash.kind === 'firebase-scrypt') return matchesFirebase(password, hash.scrypt)
  // Few projects have such hashes: what compares them is read only then.
  const { verify } = await import('@node-rs/argon2')
  return verify(hash.text, password)
}
