import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { captchaSources, type AppSettings } from './app-settings.ts'
import { CommandError } from './command-error.ts'
import { securityHeaders } from './security-headers.ts'

/** What the app reads from `/portico.json`. Public facts only. */
export interface AppConfig extends AppSettings {
  /** A project's `url` may be `/`: the origin the page came from. */
  projects: readonly { name: string; url: string; key: string }[]
  /** Functions a person may want to call. */
  functions?: readonly { name: string }[]
}

export interface AppServerOptions {
  /** The built app: `index.html` and what it loads. */
  folder: string
  /** The operator's own images, answered below `/brand/`; left out or missing: none. */
  brandFolder?: string | undefined
  /** Asked anew for each request: functions come and go while one works on them. */
  config(): AppConfig
}

/** Answers a request for the app. */
export type AppServer = (request: Request, url: URL) => Promise<Response>

interface File {
  type: string
  isImmutable: boolean
  etag: string
  /** By content coding; `identity` is always there. */
  bodies: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

const codings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
  } catch (cause) {
    throw new CommandError(`The built app is not at ${folder}. "npm run build" makes it.`, { cause })
  }
}

const read = (path: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(path))

function readFile(folder: string, name: string, all: ReadonlySet<string>): File {
  const identity = read(join(folder, name))
  const packed = codings.filter(([, suffix]) => all.has(name + suffix)).map(([coding, suffix]) => [coding, read(join(folder, name + suffix))] as const)
  return {
    type: types[extname(name)] ?? 'application/octet-stream',
    // The bundler puts a hash of the content into these names.
    isImmutable: name.startsWith('assets/'),
    etag: `"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`,
    bodies: new Map([...packed, ['identity', identity] as const]),
  }
}

// Only names found on disk are ever answered, so no path of a request reaches the file system.
function openFolder(folder: string): (name: string) => File | undefined {
  const all = new Set(listFiles(folder))
  const opened = new Map<string, File>()
  return (name) => {
    const known = opened.get(name)
    if (known || !all.has(name) || name.endsWith('.br') || name.endsWith('.gz') || name.split('/').some((part) => part.startsWith('.'))) return known
    const file = readFile(folder, name, all)
    opened.set(name, file)
    return file
  }
}

const accepts = (header: string | null, coding: string): boolean =>
  header?.split(',').some((part) => {
    const [name, ...parameters] = part.trim().split(/\s*;\s*/)
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  }) ?? false

function answerFile(request: Request, file: File, headers: Readonly<Record<string, string>>): Response {
  const common = {
    ...headers,
    etag: file.etag,
    vary: 'accept-encoding',
    'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  }
  const known = request.headers.get('if-none-match')?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (known?.includes(file.etag)) return new Response(null, { status: 304, headers: common })
  const accepted = request.headers.get('accept-encoding')
  const coding = [...file.bodies.keys()].find((name) => name === 'identity' || accepts(accepted, name)) ?? 'identity'
  const body = file.bodies.get(coding) ?? new Uint8Array()
  return new Response(request.method === 'HEAD' ? null : body, {
    headers: {
      ...common,
      'content-type': file.type,
      'content-length': String(body.byteLength),
      ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
    },
  })
}

// Addresses of screens have no file behind them. What looks like a file and is none must not come back as a page.
const isScreen = (path: string): boolean => !/^\/(assets|brand)\//.test(path) && (extname(path) === '' || path.startsWith('/data/') || path.startsWith('/files/'))

/** Makes the server of the app's files, of `/portico.json`, and of the one page behind every screen's address. */
export function createAppServer({ folder, brandFolder, config }: AppServerOptions): AppServer {
  const findOwn = openFolder(folder)
  const findBrand = brandFolder !== undefined && existsSync(brandFolder) ? openFolder(brandFolder) : undefined
  const find = (name: string) => findOwn(name) ?? (name.startsWith('brand/') ? findBrand?.(name.slice('brand/'.length)) : undefined)
  if (!find('index.html')) throw new CommandError(`The built app at ${folder} has no index.html. "npm run build" makes it.`)

  return async (request, url) => {
    const current = config()
    const headers = securityHeaders(current.projects.map((project) => (project.url === '/' ? url.origin : project.url)), captchaSources(current))
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return new Response('Method not allowed\n', { status: 405, headers: { ...headers, allow: 'GET, HEAD', 'content-type': 'text/plain' } })
    }
    if (url.pathname === '/portico.json') return Response.json(current, { headers: { ...headers, 'cache-control': 'no-store' } })
    const file = find(url.pathname.slice(1)) ?? (isScreen(url.pathname) ? find('index.html') : undefined)
    if (file) return answerFile(request, file, headers)
    return new Response('Not found\n', { status: 404, headers: { ...headers, 'content-type': 'text/plain' } })
  }
}
