import { z } from 'zod'
import { count, flag, port, texts } from './scalars.ts'

/** The `[api]` section. @see supabase/cli pkg/config/api.go */
export const apiSection = z
  .strictObject({
    enabled: flag.default(true),
    port: port.default(54_321),
    schemas: texts.default(['public', 'graphql_public']),
    extra_search_path: texts.default(['public', 'extensions']),
    max_rows: count.default(1000),
    auto_expose_new_tables: flag.optional(),
    external_url: z.string().default(''),
    tls: z.looseObject({}).optional(),
  })
  .transform((toml) => ({
    enabled: toml.enabled,
    port: toml.port,
    schemas: toml.schemas,
    extraSearchPath: toml.extra_search_path,
    maxRows: toml.max_rows,
    // Left open, the projects that count on the old default grants keep working.
    autoExposeNewTables: toml.auto_expose_new_tables ?? true,
    externalUrl: toml.external_url.replace(/\/+$/, ''),
  }))

export type ApiConfig = z.output<typeof apiSection>
