import { createPublicKey, sign, type KeyObject } from 'node:crypto'

// DER, as much of it as one certificate needs: X.690, RFC 5280.
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const nothing = der(0x05)

const sha256WithRsa = sequence(objectId('2a864886f70d01010b'), nothing)
const commonName = objectId('550403')
const subjectAltName = objectId('551d11')
const keyUsage = objectId('551d0f')

/**
 * The certificate that carries a service provider's public key: self-signed, the same bytes for the same key and host, so that
 * identity providers know it again after a restart. Name and dates are the hosted backend's.
 *
 * @returns DER.
 * @see supabase/auth internal/conf/saml.go, `populateFields`
 */
export function certificateOf(privateKey: KeyObject, host: string): Buffer {
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(`SAML 2.0 Certificate for ${host}`)))))
  const life = sequence(der(0x17, Buffer.from('700101000000Z')), der(0x18, Buffer.from('21700101000000Z')))
  const altNames = sequence(subjectAltName, der(0x04, sequence(der(0x82, Buffer.from(`_samlsp.${host}`)))))
  const usage = sequence(keyUsage, der(0x01, Buffer.from([0xff])), der(0x04, der(0x03, Buffer.from([7, 0x80]))))
  const facts = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([0])),
    sha256WithRsa,
    name,
    life,
    name,
    createPublicKey(privateKey).export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(usage, altNames)),
  )
  return sequence(facts, sha256WithRsa, der(0x03, Buffer.from([0]), sign('sha256', facts, privateKey)))
}
