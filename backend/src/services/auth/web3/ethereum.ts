import { keccak_256 } from '@noble/hashes/sha3.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'

import { invalidRequest } from '#services/auth/errors.ts'
import { type MessageForm, type SignedMessage } from './signed-message.ts'

/** EIP-4361. */
export const ethereumForm: MessageForm = {
  word: 'siwe',
  chain: 'Ethereum',
  isAddress: (text) => /^0x[a-fA-F0-9]{40}$/.test(text),
  addressComplaint: 'wallet address is not a valid Ethereum address',
  isChainId: (text) => /^\+?\d{1,18}$/.test(text) && Number(text) > 0,
}

// EIP-191: what a wallet signs for `personal_sign`.
function hashOf(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  return keccak_256(Buffer.concat([Buffer.from(`\u0019Ethereum Signed Message:\n${bytes.byteLength}`), bytes]))
}

function signerOf(text: string, signature: Uint8Array): string | undefined {
  const last = signature[64] ?? 0
  const recovery = last >= 27 ? last - 27 : last
  try {
    const recovered = Uint8Array.from([recovery, ...signature.subarray(0, 64)])
    const key = secp256k1.Point.fromBytes(secp256k1.recoverPublicKey(recovered, hashOf(text), { prehash: false })).toBytes(false)
    return `0x${Buffer.from(keccak_256(key.subarray(1)).subarray(12)).toString('hex')}`
  } catch {
    // No point of the curve has such a signature.
    return undefined
  }
}

/**
 * Reads a signature of 65 bytes in hexadecimal.
 *
 * @throws `validation_failed` (400) for any other length.
 */
export function readEthereumSignature(given: string): Uint8Array {
  const digits = given.replace(/^0x/, '')
  if (digits.length !== 130) throw invalidRequest('signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string')
  // What is no hexadecimal reads as fewer bytes, which nobody has signed with.
  return Buffer.from(digits, 'hex')
}

/** Whether the account the message names has signed it. */
export const isSignedByEthereum = ({ text, address }: SignedMessage, signature: Uint8Array): boolean =>
  signature.byteLength === 65 && signerOf(text, signature) === address.toLowerCase()
