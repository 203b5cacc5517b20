import { usualDoor, type CharacterClass, type Door, type DoorFault, type FactorKind, type ReadDoor, type SignUpField, type Wallet } from './door.ts'

type Code = DoorFault['code']
type Sink = (at: string, code: Code) => undefined

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '' && value.length <= 1000
const isTexts = (value: unknown) => isText(value) || (isRecord(value) && Object.keys(value).length > 0 && Object.values(value).every(isText))
// A path of this origin, or https: what the page's policy lets a browser fetch or open. `//host` is no path.
const isAddress = (value: unknown): value is string => typeof value === 'string' && (/^\/(?![/\\])/.test(value) || (/^https:\/\/[^/]/.test(value) && URL.canParse(value)))
const isContact = (value: unknown): value is string => isAddress(value) || (typeof value === 'string' && /^(mailto:[^\s@]+@[^\s@]+|tel:\+?[\d-]+)$/.test(value))
// A local stand-in, for trying it out, may be plain http.
const isScript = (value: unknown) => isAddress(value) || (typeof value === 'string' && /^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?\//.test(value))

const wallets: readonly Wallet[] = ['ethereum', 'solana']
const factorKinds: readonly FactorKind[] = ['totp', 'phone', 'webauthn']
const classes: readonly CharacterClass[] = ['letters', 'lower', 'upper', 'digits', 'symbols']
const fieldKinds: readonly SignUpField['kind'][] = ['text', 'number', 'date', 'url', 'choice', 'switch']

/** Reads the members of one object; a member nobody asks for is a fault, since a mistyped setting would go unnoticed. */
function readerOf(value: unknown, at: string, { sink, code }: { sink: Sink; code: Code }) {
  const record = isRecord(value) ? value : {}
  if (value !== undefined && !isRecord(value)) sink(at, code)
  const asked = new Set<string>()
  const take = <T>(name: string, is: (member: unknown) => boolean, fault: Code): T | undefined => {
    asked.add(name)
    const member = record[name]
    if (member === undefined) return undefined
    return is(member) ? (member as T) : sink(`${at}.${name}`, fault)
  }
  return {
    take,
    flag: (name: string) => take<boolean>(name, (member) => typeof member === 'boolean', 'door-switch'),
    list: <T extends string>(name: string, known: readonly T[]) =>
      take<readonly T[]>(name, (member) => Array.isArray(member) && member.every((entry) => known.includes(entry as T)) && new Set(member).size === member.length, 'door-list'),
    child: (name: string) => {
      asked.add(name)
      return record[name]
    },
    end: () => Object.keys(record).forEach((name) => asked.has(name) || sink(`${at}.${name}`, code)),
  }
}

/** Reads a list entry by entry; one with a fault is left out. */
function readEach<T>(value: unknown, at: string, read: (entry: unknown, place: string) => T | undefined): T[] | undefined {
  return Array.isArray(value) ? value.flatMap((entry: unknown, index) => read(entry, `${at}[${index}]`) ?? []) : undefined
}

function readProviders(value: unknown, at: string, sink: Sink): Door['providers'] {
  const ids = new Set<unknown>()
  const read = (entry: unknown, place: string) => {
    const { take, end } = readerOf(entry, place, { sink, code: 'door-provider' })
    const id = take<string>('id', (member) => typeof member === 'string' && /^[a-z][\w:.-]{0,63}$/i.test(member) && !ids.has(member), 'door-provider')
    const name = take<string>('name', isText, 'door-provider')
    const icon = take<string>('icon', isAddress, 'door-provider')
    end()
    ids.add(id)
    if (isRecord(entry) && (entry['id'] === undefined || entry['name'] === undefined)) return sink(place, 'door-provider')
    return id === undefined || name === undefined ? undefined : { id, name, ...(icon !== undefined && { icon }) }
  }
  return readEach(value, at, read) ?? (value === undefined ? [] : (sink(at, 'door-provider') ?? []))
}

function readFields(value: unknown, at: string, sink: Sink): SignUpField[] {
  const keys = new Set<unknown>()
  const read = (entry: unknown, place: string): SignUpField | undefined => {
    const { take, flag, end } = readerOf(entry, place, { sink, code: 'door-field' })
    const key = take<string>('key', (member) => typeof member === 'string' && /^[A-Za-z_]\w{0,62}$/.test(member) && !keys.has(member), 'door-field')
    const label = take<SignUpField['label']>('label', isTexts, 'door-text')
    const kind = take<SignUpField['kind']>('kind', (member) => fieldKinds.includes(member as SignUpField['kind']), 'door-field') ?? 'text'
    const choices = take<string[]>('choices', (member) => Array.isArray(member) && member.length > 0 && member.every(isText), 'door-field')
    const required = flag('required') ?? false
    end()
    keys.add(key)
    if (isRecord(entry) && (entry['key'] === undefined || entry['label'] === undefined)) return sink(place, 'door-field')
    if (kind === 'choice' && choices === undefined) return isRecord(entry) && entry['choices'] === undefined ? sink(`${place}.choices`, 'door-field') : undefined
    return key === undefined || label === undefined ? undefined : { key, label, kind, required, ...(choices && { choices }) }
  }
  return readEach(value, at, read) ?? (value === undefined ? [] : (sink(at, 'door-field') ?? []))
}

function readSignUp(value: unknown, at: string, sink: Sink): Door['signUp'] {
  const { take, flag, child, end } = readerOf(value, at, { sink, code: 'door' })
  const fields = readFields(child('fields'), `${at}.fields`, sink)
  const agree = flag('agree') ?? false
  const closedText = take<string>('closedText', isTexts, 'door-text')
  const closedContact = take<string>('closedContact', isContact, 'door-link')
  end()
  return { fields, agree, ...(closedText !== undefined && { closedText }), ...(closedContact !== undefined && { closedContact }) }
}

function readCaptcha(value: unknown, at: string, sink: Sink): Door['captcha'] {
  if (value === undefined) return undefined
  const { take, end } = readerOf(value, at, { sink, code: 'door-captcha' })
  const provider = take<'hcaptcha'>('provider', (member) => member === 'hcaptcha' || member === 'turnstile', 'door-captcha')
  const siteKey = take<string>('siteKey', (member) => isText(member) && /^[\w-]+$/.test(member), 'door-captcha')
  const script = take<string>('script', isScript, 'door-captcha')
  end()
  if (isRecord(value) && (value['provider'] === undefined || value['siteKey'] === undefined)) return sink(at, 'door-captcha')
  return provider === undefined || siteKey === undefined ? undefined : { provider, siteKey, ...(script !== undefined && { script }) }
}

function readPassword(value: unknown, at: string, sink: Sink): Door['password'] {
  const { take, list, end } = readerOf(value, at, { sink, code: 'door-password' })
  const minLength = take<number>('minLength', (member) => Number.isInteger(member) && Number(member) >= 1 && Number(member) <= 72, 'door-password')
  const required = list('classes', classes)
  end()
  return { minLength: minLength ?? usualDoor.password.minLength, classes: required ?? [] }
}

function readSecondFactor(value: unknown, at: string, sink: Sink): Door['secondFactor'] {
  const { flag, list, end } = readerOf(value, at, { sink, code: 'door' })
  const kinds = list('kinds', factorKinds)
  const required = flag('required') ?? false
  end()
  return { required, ...(kinds && { kinds }) }
}

/** @see ReadDoor */
export const readDoor: ReadDoor = (value, at) => {
  const faults: DoorFault[] = []
  const sink: Sink = (place, code) => void faults.push({ at: place, code })
  if (!isRecord(value)) return { faults: [{ at, code: 'door' }] }
  const { flag, list, child, end } = readerOf(value, at, { sink, code: 'door' })
  const [sso, guests, passkeys, nudge] = [flag('sso'), flag('guests'), flag('passkeys'), flag('nudge')]
  const captcha = readCaptcha(child('captcha'), `${at}.captcha`, sink)
  const door: Door = {
    identifierFirst: flag('identifierFirst') ?? usualDoor.identifierFirst,
    rememberMe: flag('rememberMe') ?? usualDoor.rememberMe,
    providers: readProviders(child('providers'), `${at}.providers`, sink),
    wallets: list('wallets', wallets) ?? [],
    password: readPassword(child('password'), `${at}.password`, sink),
    secondFactor: readSecondFactor(child('secondFactor'), `${at}.secondFactor`, sink),
    signUp: readSignUp(child('signUp'), `${at}.signUp`, sink),
    ...(sso !== undefined && { sso }),
    ...(guests !== undefined && { guests }),
    ...(passkeys !== undefined && { passkeys }),
    ...(nudge !== undefined && { nudge }),
    ...(captcha && { captcha }),
  }
  end()
  return { door, faults }
}
