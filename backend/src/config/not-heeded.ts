import { actedOnProviders } from './external.ts'
import { isTree } from './toml.ts'

// Switches that are read and change nothing: whoever set one must not count on it. `*` stands for any name.
const switches = [
  'api.tls.enabled',
  'db.network_restrictions.enabled',
  'db.ssl_enforcement.enabled',
  'auth.third_party.*.enabled',
  'auth.external.*.enabled',
]

// Values that count by not being what the CLI writes into every new project.
const usual = { 'edge_runtime.inspector_port': '8083', 'edge_runtime.deno_version': '2' }

// Tables that count by being filled.
const tables = ['db.settings', 'db.vault']

interface Place {
  path: readonly string[]
  value: unknown
}

function below({ path, value }: Place, step: string): Place[] {
  if (!isTree(value)) return []
  const names = step === '*' ? Object.keys(value) : [step]
  return names.map((name) => ({ path: [...path, name], value: value[name] }))
}

const placesOf = (tree: unknown, pattern: string): Place[] =>
  pattern.split('.').reduce<Place[]>((places, step) => places.flatMap((place) => below(place, step)), [{ path: [], value: tree }])

const isOn = (value: unknown): boolean => value === true || (typeof value === 'string' && /^(true|1|t|yes)$/i.test(value))

function isActedOn(tree: unknown, path: readonly string[]): boolean {
  const [, section = '', name = ''] = path
  const [place] = placesOf(tree, path.slice(0, -1).join('.'))
  const settings = isTree(place?.value) ? place.value : {}
  // A provider without its id is told of as switched off.
  return section === 'external' && (!settings.client_id || actedOnProviders.includes(name))
}

/** Names what a `config.toml` switches on and this backend does not do: `db.ssl_enforcement`. */
export function listNotHeeded(tree: unknown): readonly string[] {
  const on = switches.flatMap((pattern) => placesOf(tree, pattern)).filter(({ path, value }) => isOn(value) && !isActedOn(tree, path))
  const filled = tables.flatMap((pattern) => placesOf(tree, pattern)).filter(({ value }) => isTree(value) && Object.keys(value).length > 0)
  const unusual = Object.entries(usual).flatMap(([pattern, value]) => placesOf(tree, pattern).filter((place) => place.value !== undefined && String(place.value) !== value))
  return [...new Set([...on, ...filled, ...unusual].map(({ path }) => path.join('.').replace(/\.enabled$/, '')))]
}
