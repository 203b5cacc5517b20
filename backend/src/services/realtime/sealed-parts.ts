import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

// A notification carries at most 7,999 bytes.
const partLength = 7_800
const mostParts = 2_000
const mostSenders = 64
const ivBytes = 12
const tagBytes = 16

/** One notification: who sent it, which message of theirs, which part of how many, and the part. */
const envelope = /^([\w-]{1,40})\.(\d{1,15})\.(\d{1,4})\.(\d{1,4})\.([\w-]*)$/

/** Splits messages into notifications that only holders of the same secret can read or make: anybody on the database may listen. */
export function createSealer(secret: string, sender: string): (text: string) => string[] {
  const key = createHash('sha256').update(`realtime relay ${secret}`).digest()
  let sequence = 0
  return (text) => {
    sequence += 1
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv('aes-256-gcm', key, iv)
    cipher.setAAD(Buffer.from(`${sender}.${sequence}`))
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
    const count = Math.ceil(sealed.length / partLength)
    return Array.from({ length: count }, (_, part) => `${sender}.${sequence}.${part}.${count}.${sealed.slice(part * partLength, (part + 1) * partLength)}`)
  }
}

function open(key: Buffer, label: string, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < ivBytes + tagBytes) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes))
    decipher.setAAD(Buffer.from(label))
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

/** Puts notifications together again. Gives a message with its last part; undefined for parts before it and for what is not ours. */
export function createOpener(secret: string): (notification: string) => { sender: string; text: string } | undefined {
  const key = createHash('sha256').update(`realtime relay ${secret}`).digest()
  const begun = new Map<string, { sequence: string; parts: string[] }>()
  const lastOf = new Map<string, number>()
  return (notification) => {
    const found = envelope.exec(notification)
    if (!found) return undefined
    const [, sender = '', sequence = '', part, count, body = ''] = found
    // Parts of one message follow each other: one that starts anew makes what was begun worthless.
    if (part === '0') begun.set(sender, { sequence, parts: [] })
    const message = begun.get(sender)
    if (message?.sequence !== sequence || message.parts.length !== Number(part) || Number(count) > mostParts) return undefined
    message.parts.push(body)
    if (begun.size > mostSenders) begun.delete(begun.keys().next().value ?? '')
    if (message.parts.length < Number(count)) return undefined
    begun.delete(sender)
    // What somebody heard and notifies again has been heard here too.
    if (Number(sequence) <= (lastOf.get(sender) ?? 0)) return undefined
    const text = open(key, `${sender}.${sequence}`, message.parts.join(''))
    if (text === undefined) return undefined
    lastOf.set(sender, Number(sequence))
    return { sender, text }
  }
}
