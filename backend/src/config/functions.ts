import { z } from 'zod'
import { flag, texts } from './scalars.ts'

const edgeFunction = z
  .strictObject({
    enabled: flag.default(true),
    verify_jwt: flag.default(true),
    import_map: z.string().default(''),
    entrypoint: z.string().default(''),
    static_files: texts.default([]),
    env: z.record(z.string(), z.string()).default({}),
  })
  .transform((toml) => ({
    enabled: toml.enabled,
    verifyJwt: toml.verify_jwt,
    importMap: toml.import_map,
    entrypoint: toml.entrypoint,
    staticFiles: toml.static_files,
    env: toml.env,
  }))

/** The `[functions.*]` sections, by the function's name. @see supabase/cli pkg/config/config.go */
export const functionsSection = z.record(z.string(), edgeFunction)

export type FunctionsConfig = z.output<typeof functionsSection>

/** The `[edge_runtime]` section. The port of an inspector and the version of Deno say nothing to the box. */
export const edgeRuntimeSection = z
  .looseObject({
    enabled: flag.default(true),
    policy: z.enum(['per_worker', 'oneshot']).default('per_worker'),
    secrets: z.record(z.string(), z.string()).default({}),
  })
  .transform((toml) => ({
    enabled: toml.enabled,
    policy: toml.policy,
    secrets: Object.fromEntries(Object.entries(toml.secrets).map(([name, value]) => [name.toUpperCase(), value])),
  }))

export type EdgeRuntimeConfig = z.output<typeof edgeRuntimeSection>
