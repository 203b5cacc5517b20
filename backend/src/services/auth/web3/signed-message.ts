import { invalidRequest } from '#services/auth/errors.ts'

/** What differs between the chains' forms of one message: EIP-4361 and Solana's after it. */
export interface MessageForm {
  /** Stands before each complaint: `siwe`. */
  word: string
  /** How the first line names the chain: `Ethereum`. */
  chain: string
  isAddress(text: string): boolean
  addressComplaint: string
  isChainId(text: string): boolean
}

/** A "sign in with" message, read from its text. */
export interface SignedMessage {
  /** The text that was signed. */
  text: string
  /** Host and port as the wallet showed them. */
  domain: string
  /** As written. */
  address: string
  statement: string | null
  uri: URL
  chainId: string
  issuedAt: Date
  expiresAt: Date | null
  notBefore: Date | null
}

const hostNames = /^(?:localhost|127\.0\.0\.1|(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,})(?::\d{1,5})?$/i

const isTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i

// The members below the statement, each once in a line of its own: `Nonce: abc`.
function readMembers(lines: readonly string[], start: number, complain: (words: string) => Error): Map<string, string> {
  const members = new Map<string, string>()
  let resources: number | undefined
  for (const [at, whole] of lines.entries()) {
    const line = whole.trim()
    if (at < start || line === '') continue
    if (resources !== undefined && line.startsWith('- ')) {
      if (!URL.canParse(line.slice(2).trim())) throw complain(`Resource at position ${resources} has invalid URI`)
      resources++
      continue
    }
    // The official client writes this line without its colon for Solana.
    const opensResources = line === 'Resources:' || line === 'Resources'
    resources = opensResources ? 0 : undefined
    if (opensResources) continue
    const colon = line.indexOf(':')
    if (colon < 0) throw complain(`encountered unparsable line at index ${at}`)
    const name = line.slice(0, colon)
    // A wallet may show the first of two, and we would believe the last.
    if (members.has(name)) throw complain(`${name} is given twice`)
    members.set(name, line.slice(colon + 1).trim())
  }
  return members
}

function readMoment(members: Map<string, string>, name: string, complain: (words: string) => Error): Date | null {
  const given = members.get(name)
  if (given === undefined) return null
  const moment = new Date(given)
  if (!isTimestamp.test(given) || Number.isNaN(moment.getTime())) throw complain(`${name} is not a valid ISO8601 timestamp`)
  return moment
}

function readUri(members: Map<string, string>, complain: (words: string) => Error): URL {
  const given = members.get('URI')
  if (given === undefined) throw complain('URI is not specified')
  if (!URL.canParse(given)) throw complain('URI is not valid')
  return new URL(given)
}

function readHead(lines: readonly string[], form: MessageForm, complain: (words: string) => Error) {
  const ending = ` wants you to sign in with your ${form.chain} account:`
  const [first = '', second = '', third] = lines
  if (lines.length < 6) throw complain('message needs at least 6 lines')
  if (!first.endsWith(ending)) throw complain(`message first line does not end in "${ending}"`)
  const domain = first.slice(0, -ending.length).trim()
  if (!hostNames.test(domain)) throw complain('domain in first line of message is not valid')
  const address = second.trim()
  if (!form.isAddress(address)) throw complain(form.addressComplaint)
  if (third !== '') throw complain('third line must be empty')
  const hasStatement = lines[3] !== '' && lines[4] === ''
  return { domain, address, statement: hasStatement ? (lines[3] ?? '') : null, membersFrom: hasStatement ? 5 : 3 }
}

/**
 * Reads a message as EIP-4361 (https://eips.ethereum.org/EIPS/eip-4361) and its Solana counterpart lay it out.
 *
 * @throws `validation_failed` (400) in the hosted backend's words.
 * @see supabase/auth internal/utilities/siwe/parser.go, internal/utilities/siws/parser.go
 */
export function readSignedMessage(text: string, form: MessageForm): SignedMessage {
  const complain = (words: string): Error => invalidRequest(`${form.word}: ${words}`)
  const lines = text.split('\n')
  const { membersFrom, ...head } = readHead(lines, form, complain)
  const members = readMembers(lines, membersFrom, complain)

  const version = members.get('Version') ?? ''
  const chainId = members.get('Chain ID') ?? ''
  if (members.has('Chain ID') && !form.isChainId(chainId)) throw complain('Chain ID is not valid')
  if (version !== '1') throw complain(`Version value is not supported, expected 1 got ${JSON.stringify(version)}`)
  const issuedAt = readMoment(members, 'Issued At', complain)
  if (!issuedAt) throw complain('Issued At is not specified')
  const uri = readUri(members, complain)
  const expiresAt = readMoment(members, 'Expiration Time', complain)
  const notBefore = readMoment(members, 'Not Before', complain)
  if (expiresAt && issuedAt > expiresAt) throw complain('Issued At is after Expiration Time')
  if (expiresAt && notBefore && notBefore > expiresAt) throw complain('Not Before is after Expiration Time')
  return { text, ...head, uri, chainId, issuedAt, expiresAt, notBefore }
}
