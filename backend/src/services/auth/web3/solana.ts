import { createPublicKey, verify } from 'node:crypto'

import { base58 } from '@scure/base'

import { invalidRequest } from '#services/auth/errors.ts'
import { type MessageForm, type SignedMessage } from './signed-message.ts'

function keyBytes(address: string): Uint8Array | undefined {
  try {
    const bytes = base58.decode(address)
    return bytes.byteLength === 32 ? bytes : undefined
  } catch {
    return undefined
  }
}

/** Solana's form of EIP-4361 (https://github.com/phantom/sign-in-with-solana). */
export const solanaForm: MessageForm = {
  word: 'siws',
  chain: 'Solana',
  isAddress: (text) => /^[a-zA-Z0-9]{32,44}$/.test(text),
  addressComplaint: 'wallet address is not in base58 format',
  isChainId: (text) => text === '' || /^solana:(?:main|dev|test|local)net$/.test(text),
}

/**
 * Reads a signature of 64 bytes in base64, of either alphabet.
 *
 * @throws `validation_failed` (400) for any other length or alphabet.
 */
export function readSolanaSignature(given: string): Uint8Array {
  if (given.length !== 86 && given.length !== 88) throw invalidRequest('signature must be 64 bytes encoded as base64 with or without padding')
  const digits = given.replace(/=+$/, '')
  if (!/^[\w+/-]*$/.test(digits)) throw invalidRequest('signature does not contain valid base64 characters')
  return Buffer.from(digits, 'base64url')
}

// What a hardware wallet signs in place of the text: https://docs.anza.xyz/proposals/off-chain-message-signing
function offChainMessage({ text, domain }: SignedMessage, key: Uint8Array): Buffer {
  const message = Buffer.from(text)
  const name = Buffer.alloc(32)
  name.write(domain)
  const length = Buffer.alloc(2)
  length.writeUInt16LE(message.byteLength)
  return Buffer.concat([Buffer.from([0xff]), Buffer.from('solana offchain'), Buffer.from([0]), name, Buffer.from([0, 1]), key, length, message])
}

/** Whether the account the message names has signed it, in a wallet or on a hardware key. */
export function isSignedBySolana(message: SignedMessage, signature: Uint8Array): boolean {
  const bytes = keyBytes(message.address)
  if (!bytes || signature.byteLength !== 64) return false
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(bytes).toString('base64url') }, format: 'jwk' })
  return verify(null, Buffer.from(message.text), key, signature) || verify(null, offChainMessage(message, bytes), key, signature)
}
