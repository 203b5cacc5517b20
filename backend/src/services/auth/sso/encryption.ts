import { DOMParser, onErrorStopParsing, type Document, type Element } from '@xmldom/xmldom'

/** Ciphers that tell by themselves when somebody has changed what they keep. */
const authenticated = new Set(['http://www.w3.org/2009/xmlenc11#aes128-gcm', 'http://www.w3.org/2009/xmlenc11#aes256-gcm'])

/** Ciphers that do not: who may send changed text and sees how it is refused can read it in the end. */
const unauthenticated = new Set(['http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'http://www.w3.org/2001/04/xmlenc#aes256-cbc'])

const keyTransport = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p'

/** What an identity provider is told to encrypt with. */
export const wantedCiphers: readonly string[] = [...authenticated].toReversed().concat(keyTransport)

/** How a response keeps its assertion: in the open, or encrypted, and then whether the response itself must be signed. */
export type Encryption = 'none' | 'authenticated' | 'needs a signed response'

/** A response is encrypted in a way that is not accepted. */
export class WeakEncryption extends Error {
  constructor(why: string) {
    super(`the assertion is encrypted ${why}`)
    this.name = 'WeakEncryption'
  }
}

const named = (document: Document, name: string): Element[] => [...document.getElementsByTagNameNS('*', name)]
const algorithmOf = (parent: Element): string => {
  const method = [...parent.childNodes].find((child): child is Element => (child as Element).localName === 'EncryptionMethod')
  return method?.getAttribute('Algorithm') ?? ''
}

/**
 * Looks at how an assertion is encrypted before anything is decrypted. One key and one text alone: what is looked at here is what the
 * library decrypts, which takes the first it finds.
 *
 * Refused: triple DES, RSA with padding of PKCS#1 1.5, everything unknown. AES in CBC mode is let pass in a signed response alone: the
 * signature is checked before the text is touched, so that nobody else's text is.
 *
 * @throws WeakEncryption
 * @see https://www.w3.org/TR/xmlenc-core1/#sec-chosen-ciphertext-attacks
 */
export function encryptionOf(responseXml: string): Encryption {
  const document = new DOMParser({ onError: onErrorStopParsing }).parseFromString(responseXml, 'text/xml')
  const [assertions, texts, keys, methods] = ['EncryptedAssertion', 'EncryptedData', 'EncryptedKey', 'EncryptionMethod'].map((name) => named(document, name)) as [Element[], Element[], Element[], Element[]]
  if (assertions.length + texts.length + keys.length === 0) return 'none'
  const [[text], [key]] = [texts, keys]
  if (assertions.length !== 1 || texts.length !== 1 || keys.length !== 1 || methods.length !== 2 || !text || !key) throw new WeakEncryption('more or less than once')
  if (algorithmOf(key) !== keyTransport) throw new WeakEncryption(`for a key kept by ${algorithmOf(key)}`)
  if (authenticated.has(algorithmOf(text))) return 'authenticated'
  if (unauthenticated.has(algorithmOf(text))) return 'needs a signed response'
  throw new WeakEncryption(`by ${algorithmOf(text)}`)
}
