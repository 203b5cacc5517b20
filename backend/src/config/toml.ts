import { parse, TomlError } from 'smol-toml'
import { z } from 'zod'
import type { Environment } from './environment.ts'
import { sayIssue } from './fault-words.ts'

type Tree = Record<string, unknown>

export const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)

/** Parses TOML. A fault says line and column. */
export function parseToml(text: string): { tree: Tree } | { fault: string } {
  try {
    return { tree: parse(text) as Tree }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const what = error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? 'not TOML'
    return { fault: `line ${error.line}, column ${error.column}: ${what}` }
  }
}

const reference = /^env\((.*)\)$/

/** Puts the environment's values where `env(NAME)` stands. Names without a value are collected, and their keys left out. */
export function resolveReferences(value: unknown, env: Environment, missing: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, env, missing)).filter((item) => item !== undefined)
  if (isTree(value)) {
    // What is switched off needs no value, and the CLI's own first file is full of such places.
    const within = value.enabled === false ? new Set<string>() : missing
    const entries = Object.entries(value).map(([key, item]) => [key, resolveReferences(item, env, within)] as const)
    return Object.fromEntries(entries.filter(([, item]) => item !== undefined))
  }
  const name = typeof value === 'string' ? reference.exec(value)?.[1] : undefined
  if (name === undefined) return value
  if (env[name] === undefined) missing.add(name)
  return env[name]
}

function dropKeys(tree: unknown, path: readonly PropertyKey[], keys: readonly string[]): void {
  let place = tree
  for (const step of path) place = isTree(place) ? place[String(step)] : undefined
  if (isTree(place)) for (const key of keys) delete place[key]
}

const spell = (path: readonly PropertyKey[]): string => path.map(String).join('.')

/**
 * Reads a tree by a schema of strict objects.
 * Keys the schema does not know are named and left out; everything else that does not fit is a fault. Never throws.
 */
export function readTree<Schema extends z.ZodType>(schema: Schema, tree: Tree): { value?: z.output<Schema>; unknown: string[]; faults: string[] } {
  const unknown: string[] = []
  const pruned = structuredClone(tree)
  // Dropping unknown keys can uncover others, so it is done again; no section nests deeper than this.
  for (let round = 0; round < 10; round += 1) {
    const parsed = schema.safeParse(pruned, { error: sayIssue })
    if (parsed.success) return { value: parsed.data, unknown, faults: [] }
    const strangers = parsed.error.issues.filter((issue) => issue.code === 'unrecognized_keys')
    if (strangers.length === 0) return { unknown, faults: parsed.error.issues.map((issue) => `${spell(issue.path)}: ${issue.message}`) }
    for (const issue of strangers) {
      unknown.push(...issue.keys.map((key) => spell([...issue.path, key])))
      dropKeys(pruned, issue.path, issue.keys)
    }
  }
  return { unknown, faults: ['the file nests deeper than any section does'] }
}
