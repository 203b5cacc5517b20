import { z } from 'zod'
import type { Environment } from './environment.ts'
import { flag } from './scalars.ts'

/** Where files are kept. */
export type FileStoreConfig =
  | { kind: 'disk' }
  | {
      kind: 's3'
      bucket: string
      /** Without the bucket. */
      endpoint: string
      region: string
      /** The bucket stands in the path instead of in the host's name. */
      forcePathStyle: boolean
      /** What the keys of all files begin with, when the operator gave one: then it is this project's alone, and may be cleaned. */
      tenantId: string | undefined
    }

/** What opens the bucket. */
export interface FileStoreKeys {
  accessKeyId: string
  secretAccessKey: string
  sessionToken?: string
}

// By the names of the hosted storage API; where it knows two, the newer one is first.
const alternatives = {
  bucket: ['STORAGE_S3_BUCKET', 'GLOBAL_S3_BUCKET'],
  endpoint: ['STORAGE_S3_ENDPOINT', 'GLOBAL_S3_ENDPOINT'],
  forcePathStyle: ['STORAGE_S3_FORCE_PATH_STYLE', 'GLOBAL_S3_FORCE_PATH_STYLE'],
  region: ['STORAGE_S3_REGION', 'REGION', 'AWS_REGION'],
  accessKeyId: ['AWS_ACCESS_KEY_ID'],
  secretAccessKey: ['AWS_SECRET_ACCESS_KEY'],
  sessionToken: ['AWS_SESSION_TOKEN'],
  tenantId: ['TENANT_ID'],
} as const

type Name = keyof typeof alternatives

const schema = z.object({
  bucket: z.string().regex(/^[a-z0-9A-Z][\w.-]{1,99}$/, 'is not the name of a bucket'),
  endpoint: z.url({ protocol: /^https?$/, error: 'must be an address that starts with https:// or http://' }).optional(),
  forcePathStyle: flag.default(false),
  region: z.string().regex(/^[\w-]+$/, 'is not the name of a region').default('us-east-1'),
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  sessionToken: z.string().optional(),
  tenantId: z.string().regex(/^[\w-]{1,100}$/, 'may hold letters, digits, _ and - only').optional(),
})

/**
 * Reads where files are kept: `STORAGE_BACKEND=s3` names a bucket, anything else is this machine's disk.
 * Faults are added to `faults`, by the variable's name and without its value.
 */
export function readFileStore(env: Environment, faults: string[]): { store: FileStoreConfig; keys?: FileStoreKeys } {
  const kind = env.STORAGE_BACKEND || 'file'
  if (kind === 'file') return { store: { kind: 'disk' } }
  if (kind !== 's3') {
    faults.push('STORAGE_BACKEND: must be "file" or "s3"')
    return { store: { kind: 'disk' } }
  }
  const found = Object.fromEntries(
    Object.entries(alternatives).map(([name, variables]) => [name, variables.map((variable) => env[variable]).find((value) => value !== undefined && value !== '')]))
  const parsed = schema.safeParse(found)
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) {
      const variables = alternatives[path[0] as Name]
      faults.push(found[path[0] as Name] === undefined ? `${variables[0]} is missing: STORAGE_BACKEND=s3 needs it` : `${variables.join(' or ')}: ${message}`)
    }
    return { store: { kind: 'disk' } }
  }
  const { accessKeyId, secretAccessKey, sessionToken, endpoint, ...rest } = parsed.data
  return {
    store: { kind: 's3', ...rest, endpoint: endpoint ?? `https://s3.${rest.region}.amazonaws.com`, tenantId: rest.tenantId },
    keys: { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) },
  }
}
