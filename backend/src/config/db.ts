import { z } from 'zod'
import { count, flag, port, texts } from './scalars.ts'

/** The `[db]` section; pooler, shadow database and hosted-only parts are read and left aside. @see supabase/cli pkg/config/db.go */
export const dbSection = z
  .strictObject({
    port: port.optional(),
    shadow_port: port.optional(),
    health_timeout: z.string().optional(),
    major_version: count.default(17),
    root_key: z.string().optional(),
    pooler: z.looseObject({}).optional(),
    settings: z.looseObject({}).optional(),
    network_restrictions: z.looseObject({}).optional(),
    ssl_enforcement: z.looseObject({}).optional(),
    vault: z.record(z.string(), z.string()).default({}),
    migrations: z.strictObject({ enabled: flag.default(true), schema_paths: texts.default([]) }).prefault({}),
    seed: z.strictObject({ enabled: flag.default(true), sql_paths: texts.default(['./seed.sql']) }).prefault({}),
  })
  .transform((toml) => ({
    vault: toml.vault,
    migrations: { enabled: toml.migrations.enabled, schemaPaths: toml.migrations.schema_paths },
    /** Paths and globs, relative to the `supabase` folder. */
    seed: { enabled: toml.seed.enabled, sqlPaths: toml.seed.sql_paths },
  }))

export type DbConfig = z.output<typeof dbSection>
