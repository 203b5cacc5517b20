import { sessionCookieName, type Project } from '#project.ts'
import { readProjectKey } from '#projects/project-key.ts'
import { projectId, projectName, readProjectUrl } from '#projects/project-url.ts'
import type { Brand, BrandFault, ReadBrand } from './brand.ts'
import type { Door, DoorFault, ReadDoor } from './door.ts'
import { readFunctions, type FunctionFault, type ListedFunction } from './listed-functions.ts'
import type { ReadRedirects, RedirectFault } from './read-redirects.ts'

/** What an operator sets in `portico.json` beside the app. Public facts only. */
export interface Config {
  projects: readonly Project[]
  cookies: { domain?: string }
}

/** One thing wrong with `portico.json`; `code` is a key of the catalogue's `connect.faults`. */
export interface ConfigFault {
  /** Where in the file: `projects[0].key`. */
  at: string
  code:
    | 'config-unreadable'
    | 'config-unreachable'
    | 'cookie-name'
    | 'cookie-name-taken'
    | 'cookie-name-place'
    | 'cookie-domain'
    | 'presence'
    | 'avatars'
    | FunctionFault['code']
    | BrandFault['code']
    | DoorFault['code']
    | RedirectFault['code']
    | Extract<ReturnType<typeof readProjectUrl>, { ok: false }>['fault']
    | Extract<ReturnType<typeof readProjectKey>, { ok: false }>['fault']
}

/** The address of the page, as far as it decides what is valid. */
export type PageAddress = Pick<Location, 'origin' | 'hostname'>

export interface ConfigReading {
  config: Config
  /** Every fault at once; empty when all is well. A project with a fault is left out. */
  faults: readonly ConfigFault[]
}

const none: ConfigReading = { config: { projects: [], cookies: {} }, faults: [] }

const unreachable: ConfigReading = { ...none, faults: [{ at: '', code: 'config-unreachable' }] }

/** Fetches and reads `portico.json`. None, or a page in its place, means that projects are added by hand. */
export async function loadConfig(address: PageAddress, ask: typeof fetch = fetch): Promise<ConfigReading> {
  try {
    const answer = await ask('/portico.json', { cache: 'no-cache', credentials: 'same-origin' })
    if (answer.status >= 500) return unreachable
    const isJson = answer.headers.get('content-type')?.includes('json') ?? false
    if (!answer.ok || !isJson) return none
    const text = await answer.text()
    return readConfig(text, address, await readersFor(text))
  } catch {
    return unreachable
  }
}

/** What reads the parts that few have. */
export interface Readers {
  readBrand: ReadBrand
  readDoor: ReadDoor
  readRedirects: ReadRedirects
}

const noReaders: Readers = { readBrand: () => ({ faults: [] }), readDoor: () => ({ faults: [] }), readRedirects: () => ({ faults: [] }) }

// Fetched for those who have such a part.
const readersFor = async (text: string): Promise<Readers> => {
  const [brand, door, redirects] = await Promise.all([
    text.includes('"brand"') ? import('./read-brand.ts') : noReaders,
    text.includes('"door"') ? import('./read-door.ts') : noReaders,
    text.includes('"redirects"') ? import('./read-redirects.ts') : noReaders,
  ])
  return { readBrand: brand.readBrand, readDoor: door.readDoor, readRedirects: redirects.readRedirects }
}

/** Reads the text of `portico.json`; a project's `url` may be `/` for the origin the page came from. */
export function readConfig(text: string, address: PageAddress, readers: Readers = noReaders): ConfigReading {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ...none, faults: [{ at: '', code: 'config-unreadable' }] }
  }
  const { projects, cookies, functions, presence, avatars, brand, door, redirects } = asRecord(value)
  if (projects !== undefined && !Array.isArray(projects)) return { ...none, faults: [{ at: 'projects', code: 'config-unreadable' }] }
  const shared = readFunctions(functions, 'functions')
  const worn = brand === undefined ? { faults: [] } : readers.readBrand(brand, 'brand')
  const usual = door === undefined ? { faults: [] } : readers.readDoor(door, 'door')
  const onward = redirects === undefined ? { faults: [] } : readers.readRedirects(redirects, 'redirects')
  const readings = (projects ?? []).map((entry: unknown, index: number) => readProject(entry, `projects[${index}]`, { address, shared: shared.functions, presence, avatars, brand: worn.brand, door: usual.door, redirects: onward.redirects, readers }))
  const options = readCookies(asRecord(cookies), address)
  return {
    config: { projects: readings.flatMap(({ project }) => project ?? []), cookies: options.cookies },
    faults: [...readings.flatMap(({ faults }) => faults), ...sharedNames(readings.map(({ project }) => project)), ...shared.faults, ...worn.faults, ...usual.faults, ...onward.faults, ...presenceFaults(presence, 'presence'), ...avatarsFaults(avatars, 'avatars'), ...options.faults],
  }
}

interface Surroundings {
  address: PageAddress
  shared: readonly ListedFunction[]
  presence: unknown
  avatars: unknown
  brand: Brand | undefined
  door: Door | undefined
  redirects: readonly string[] | undefined
  readers: Readers
}

/** What stands beside the projects holds for each that says nothing of its own. */
function readProject(entry: unknown, at: string, { address, shared, presence, avatars, brand: sharedBrand, door: sharedDoor, redirects, readers }: Surroundings): { project?: Project; faults: ConfigFault[] } {
  const { name, url, key, cookieName, functions } = asRecord(entry)
  const own = readFunctions(functions, `${at}.functions`)
  const { brand: ownBrand, door: ownDoor } = asRecord(entry)
  const { brand = sharedBrand, faults: brandFaults } = ownBrand === undefined ? { faults: [] } : readers.readBrand(ownBrand, `${at}.brand`)
  const { door = sharedDoor, faults: doorFaults } = ownDoor === undefined ? { faults: [] } : readers.readDoor(ownDoor, `${at}.door`)
  const place = readProjectUrl(url === '/' ? address.origin : asText(url))
  const publicKey = readProjectKey(asText(key))
  const faults: ConfigFault[] = [
    ...(place.ok ? [] : [{ at: `${at}.url`, code: place.fault }]),
    ...(publicKey.ok ? [] : [{ at: `${at}.key`, code: publicKey.fault }]),
    ...(cookieName === undefined || isCookieName(cookieName) ? [] : [{ at: `${at}.cookieName`, code: 'cookie-name' } as const]),
    ...own.faults,
    ...brandFaults,
    ...doorFaults,
    ...presenceFaults(asRecord(entry)['presence'], `${at}.presence`),
    ...avatarsFaults(asRecord(entry)['avatars'], `${at}.avatars`),
  ]
  if (!place.ok || !publicKey.ok) return { faults }
  const project: Project = { id: projectId(place.url), name: asText(name) || projectName(place.url), url: place.url, key: publicKey.key }
  if (isCookieName(cookieName)) project.cookieName = cookieName
  const listed = functions === undefined ? shared : own.functions
  if (listed.length > 0) project.functions = listed
  if (brand) project.brand = brand
  if (door) project.door = door
  if (redirects) project.redirects = redirects
  if ((asRecord(entry)['presence'] ?? presence) === false) project.presence = false
  const bucket = asRecord(entry)['avatars'] ?? avatars
  if (isBucket(bucket)) project.avatars = bucket
  return { project, faults }
}

/** Two projects in one cookie would sign each other out; and one's chunks (`name.0`) or proofs (`name-…`) may not be another's whole. */
function sharedNames(projects: readonly (Project | undefined)[]): ConfigFault[] {
  const names = projects.map((project) => project && sessionCookieName(project))
  const clash = (one: string, other: string) => one === other || one.startsWith(`${other}.`) || one.startsWith(`${other}-`)
  return projects.flatMap((project, index) => {
    const own = names[index]
    const isTaken = own !== undefined && names.some((name, at) => at !== index && name !== undefined && (clash(own, name) || clash(name, own)))
    return project?.cookieName !== undefined && isTaken ? [{ at: `projects[${index}].cookieName`, code: 'cookie-name-taken' as const }] : []
  })
}

const presenceFaults = (presence: unknown, at: string): ConfigFault[] => (presence === undefined || typeof presence === 'boolean' ? [] : [{ at, code: 'presence' }])

const isBucket = (value: unknown): value is string | false => value === false || (typeof value === 'string' && value !== '')
const avatarsFaults = (avatars: unknown, at: string): ConfigFault[] => (avatars === undefined || isBucket(avatars) ? [] : [{ at, code: 'avatars' }])

const isCookieName = (value: unknown): value is string => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value)

function readCookies({ name, domain }: Record<string, unknown>, { hostname }: PageAddress): { cookies: Config['cookies']; faults: ConfigFault[] } {
  const faults: ConfigFault[] = []
  const cookies: Config['cookies'] = {}
  // One name for all would put every project's session into the same cookie.
  if (name !== undefined) faults.push({ at: 'cookies.name', code: 'cookie-name-place' })

  // A browser drops a cookie for any domain that is not the page's own or a parent of it.
  const parent = typeof domain === 'string' ? domain.replace(/^\./, '').toLowerCase() : undefined
  if (parent?.includes('.') && (hostname === parent || hostname.endsWith(`.${parent}`))) cookies.domain = parent
  else if (domain !== undefined) faults.push({ at: 'cookies.domain', code: 'cookie-domain' })
  return { cookies, faults }
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')
const asRecord = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {})
