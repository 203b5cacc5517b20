import { createPrivateKey, generateKeyPairSync, sign as signWith } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'

/** An account of its own: its key never enters the page. */
export interface WalletKey {
  address: string
  /** Ethereum: the message in hexadecimal; Solana: in base64. The signature comes in the same. */
  sign(message: string): string
}

/** Signs as `personal_sign` does (EIP-191). */
export function ethereumKey(): WalletKey {
  const key = secp256k1.utils.randomSecretKey()
  return {
    address: `0x${Buffer.from(keccak_256(secp256k1.getPublicKey(key, false).slice(1)).slice(-20)).toString('hex')}`,
    sign(message) {
      const bytes = Buffer.from(message.slice(2), 'hex')
      const hash = keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`), bytes]))
      const signature = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' })
      return `0x${Buffer.from(signature.slice(1)).toString('hex')}${(27 + (signature[0] ?? 0)).toString(16)}`
    },
  }
}

export function solanaKey(): WalletKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return {
    address: base58.encode(Buffer.from(String(publicKey.export({ format: 'jwk' })['x']), 'base64url')),
    sign: (message) => signWith(null, Buffer.from(message, 'base64'), key).toString('base64'),
  }
}
