import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

/** What a software authenticator signs with. */
export type Algorithm = 'ES256' | 'RS256' | 'EdDSA'

const uint = (major: number, value: number): Buffer => {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}

type Cbor = number | string | Uint8Array | Map<number | string, Cbor>

/** As much CBOR as an authenticator speaks. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? uint(0, value) : uint(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([uint(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([uint(2, value.byteLength), value])
  return Buffer.concat([uint(5, value.size), ...[...value].flatMap(([key, member]) => [cbor(key), cbor(member)])])
}

const bytesOf = (text: string | undefined): Buffer => Buffer.from(text ?? '', 'base64url')

function coseKey(algorithm: Algorithm, key: KeyObject): Map<number, Cbor> {
  const jwk = key.export({ format: 'jwk' })
  if (algorithm === 'ES256') return new Map<number, Cbor>([[1, 2], [3, -7], [-1, 1], [-2, bytesOf(jwk.x)], [-3, bytesOf(jwk.y)]])
  if (algorithm === 'EdDSA') return new Map<number, Cbor>([[1, 1], [3, -8], [-1, 6], [-2, bytesOf(jwk.x)]])
  return new Map<number, Cbor>([[1, 3], [3, -257], [-1, bytesOf(jwk.n)], [-2, bytesOf(jwk.e)]])
}

const makeKeys = (algorithm: Algorithm) => {
  if (algorithm === 'ES256') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519')
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
}

export interface AuthenticatorOptions {
  rpId?: string
  origin?: string
  algorithm?: Algorithm
  aaguid?: string
  /** Counts its uses; a synchronised passkey does not. */
  counts?: boolean
  isBackupEligible?: boolean
  credentialId?: Buffer
}

interface Options {
  challenge: string
  user?: { id: string }
}

/** A security key in software: makes one credential and signs with it. Its counter can be set back, as a copy's would be. */
export function createAuthenticator(options: AuthenticatorOptions = {}) {
  const { algorithm = 'ES256', counts = true, isBackupEligible = false } = options
  const { privateKey, publicKey } = makeKeys(algorithm)
  const id = options.credentialId ?? randomBytes(32)
  const state = { counter: 0, userHandle: '', rpId: options.rpId ?? 'localhost', origin: options.origin ?? 'http://localhost:54321' }
  const clientData = (type: string, challenge: string) => Buffer.from(JSON.stringify({ type, challenge, origin: state.origin, crossOrigin: false }))
  const authenticatorData = (flags: number, attested: Buffer = Buffer.alloc(0)) => {
    if (counts) state.counter += 1
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(state.counter)
    return Buffer.concat([createHash('sha256').update(state.rpId).digest(), Buffer.from([flags | (isBackupEligible ? 0x18 : 0)]), counter, attested])
  }
  const wrap = (response: Record<string, unknown>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    authenticatorAttachment: 'platform' as const,
    clientExtensionResults: {},
    response,
  })
  return {
    state,
    id: id.toString('base64url'),
    /** Answers options to make a credential. */
    create(asked: Options) {
      state.userHandle = asked.user?.id ?? ''
      const aaguid = Buffer.from((options.aaguid ?? '00000000-0000-0000-0000-000000000000').replaceAll('-', ''), 'hex')
      const length = Buffer.from([id.length >> 8, id.length & 255])
      const attested = Buffer.concat([aaguid, length, id, cbor(coseKey(algorithm, publicKey))])
      const authData = authenticatorData(0x45, attested)
      const attestation = cbor(new Map<string, Cbor>([['fmt', 'none'], ['attStmt', new Map()], ['authData', authData]]))
      return wrap({
        clientDataJSON: clientData('webauthn.create', asked.challenge).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },
    /** Answers options to use it. */
    get(asked: Options) {
      const data = clientData('webauthn.get', asked.challenge)
      const authData = authenticatorData(0x05)
      const content = Buffer.concat([authData, createHash('sha256').update(data).digest()])
      const signature = sign(algorithm === 'EdDSA' ? null : 'sha256', content, privateKey)
      return wrap({
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: state.userHandle,
      })
    },
  }
}
