import { z } from 'zod'
import { count, flag } from './scalars.ts'

/** The `[realtime]` section. `ip_version` is read and says nothing here: the box has one address for everything. @see supabase/cli pkg/config/config.go */
export const realtimeSection = z
  .strictObject({
    enabled: flag.default(true),
    ip_version: z.enum(['IPv4', 'IPv6']).default('IPv4'),
    max_header_length: count.default(4096),
  })
  .transform((toml) => ({
    enabled: toml.enabled,
    /** One header of a WebSocket's handshake, cookies excepted. */
    maxHeaderBytes: toml.max_header_length,
  }))

export type RealtimeConfig = z.output<typeof realtimeSection>
