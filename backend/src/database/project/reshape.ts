import { baseExtensions, isKnownExtension } from '#database/extensions/catalog.ts'
import { hasStandIn, plainStandIn } from '#database/extensions/plain-stand-in.ts'
import { copyAsInserts } from './copy-data.ts'
import type { Statement } from './statements.ts'

export interface Reshaped {
  /** What runs instead; empty when the statement is left out. */
  texts: readonly string[]
  /** Why a reader should know that it is not the same. */
  warning?: string
}

export interface Surroundings {
  /** The name of the database the project is loaded into. */
  databaseName: string
  /** What `create extension` can make. */
  availableExtensions: ReadonlySet<string>
}

interface Rule {
  when: RegExp | ((text: string) => boolean)
  become: (text: string, surroundings: Surroundings) => Reshaped
}

const leftOut = (warning: string): Rule['become'] => () => ({ texts: [], warning })
const replaced = (pattern: RegExp, by: string, warning?: string): Rule['become'] =>
  (text) => ({ texts: [text.replace(pattern, by)], ...(warning === undefined ? {} : { warning }) })

const extensionName = /^create\s+extension\s+(?:if\s+not\s+exists\s+)?("[^"]+"|\S+)/i

// Upstream, some extensions choose their schema by themselves, also where a dump has emptied search_path.
const homeless = /^create\s+extension\s+(if\s+not\s+exists\s+)?"?(pg_tle|pg_cron|pg_net|pg_graphql|pgsodium|pgaudit|plv8|supabase-dbdev)"?\s*(cascade\s*)?$/i

// Packages of database.dev are extensions too: "basejump-supabase_test_helpers", "olirice@read_once".
const isUnknownPackage = (text: string): boolean => {
  const name = extensionName.exec(text)?.[1]?.replaceAll('"', '') ?? ''
  return /[-@]/.test(name) && !isKnownExtension(name)
}

const extensionVersion = /\s+version\s*=?\s*('[^']*'|"[^"]*"|[\w.]+)/i
const ownDatabase = /^(alter\s+database\s+|grant\s[\s\S]+?\son\s+database\s+|revoke\s[\s\S]+?\son\s+database\s+|comment\s+on\s+database\s+)"?postgres"?(?=\s)/i

// Files run as one transaction in one session, on engines that may lack what a server has. Each rule keeps the sense of a
// statement that could not run so, or leaves out one that speaks to a server's operator.
const rules: readonly Rule[] = [
  { when: /^(create\s+(unique\s+)?index|drop\s+index|reindex[\s\S]*?)\s+concurrently\b/i, become: replaced(/\s+concurrently\b/i, '') },
  { when: /^alter\s+table[\s\S]*\sdetach\s+partition\s+\S+\s+concurrently\s*$/i, become: replaced(/\s+concurrently\s*$/i, '') },
  { when: /^vacuum\b/i, become: leftOut('VACUUM cannot run in a migration\'s transaction: left out') },
  { when: /^alter\s+system\b/i, become: leftOut('ALTER SYSTEM sets the server, not the project: left out') },
  { when: /^create\s+database\b|^drop\s+database\b/i, become: leftOut('a project has one database: CREATE or DROP DATABASE left out') },
  { when: /^set\s+session\s+authorization\s+default\s*$|^reset\s+session\s+authorization\s*$/i, become: () => ({ texts: ['set role postgres'] }) },
  { when: /^set\s+((session|local)\s+)?session\s+authorization\b/i, become: replaced(/^set\s+((session|local)\s+)?session\s+authorization\b/i, 'set role') },
  { when: /^reset\s+role\s*$/i, become: () => ({ texts: ['set role postgres'] }) },
  { when: /^security\s+label\s+for\b/i, become: leftOut('no provider of security labels is there: SECURITY LABEL left out') },
  { when: /^select\s+pgtle\.install_extension\b/i, become: leftOut('a trusted language extension cannot be installed here: left out') },
  { when: /^create\s+(unique\s+)?index\b[\s\S]*?\susing\s+"?pgroonga"?[\s(]/i, become: leftOut('pgroonga searches without an index here: CREATE INDEX … USING pgroonga left out') },
  { when: isUnknownPackage, become: leftOut('a package of database.dev cannot be installed here: CREATE EXTENSION left out') },
  { when: homeless, become: (text) => ({ texts: [`${text} schema extensions`.replace(/\scascade(\s+schema extensions)$/i, '$1 cascade')] }) },
  {
    when: /^create\s+extension\b[\s\S]*\sversion\s/i,
    become: replaced(extensionVersion, '', 'the pinned version of an extension is not followed: the one at hand is used'),
  },
  {
    when: /^alter\s+extension\s+\S+\s+update\s+to\b/i,
    become: leftOut('extensions are as new as this backend has them: ALTER EXTENSION … UPDATE left out'),
  },
  {
    when: ownDatabase,
    become: (text, { databaseName }) => ({ texts: [text.replace(ownDatabase, `$1"${databaseName.replaceAll('"', '""')}"`)] }),
  },
]

const aboutExtension = /^(create|drop|alter|comment\s+on)\s+extension\s+(?:if\s+(?:not\s+)?exists\s+)?("[^"]+"|[\w-]+)/i
const schemaOfExtension = /\sschema\s+("[^"]+"|\w+)/i
const unquoted = (name: string | undefined): string | undefined => name?.replaceAll('"', '')

// A server by URL may have no files for an extension that has a stand-in: its objects are made, without the extension.
function withoutFiles(text: string, { availableExtensions }: Surroundings): Reshaped | undefined {
  const [, verb = '', quotedName] = aboutExtension.exec(text) ?? []
  const name = unquoted(quotedName)
  if (name === undefined || availableExtensions.has(name) || !hasStandIn(name)) return undefined
  if (verb.toLowerCase() !== 'create') return { texts: [] }
  const made = plainStandIn(name, unquoted(schemaOfExtension.exec(text)?.[1]))
  if (baseExtensions.includes(name)) return { texts: made === undefined ? [] : [made] }
  return { texts: made === undefined ? [] : [made], warning: `this server has no extension ${name}: plain objects stand in for it` }
}

/** Gives what runs for a statement: mostly the statement itself. */
export function reshape(statement: Statement, surroundings: Surroundings): Reshaped {
  if (statement.copyData !== undefined) return { texts: copyAsInserts(statement.text, statement.copyData) }
  const stoodIn = withoutFiles(statement.text, surroundings)
  if (stoodIn) return stoodIn
  const rule = rules.find(({ when }) => (typeof when === 'function' ? when(statement.text) : when.test(statement.text)))
  return rule ? rule.become(statement.text, surroundings) : { texts: [statement.text] }
}
