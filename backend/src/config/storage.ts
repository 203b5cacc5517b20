import { z } from 'zod'
import { flag, size, texts } from './scalars.ts'

const bucket = z
  .strictObject({
    public: flag.default(false),
    file_size_limit: size.optional(),
    allowed_mime_types: texts.default([]),
    objects_path: z.string().optional(),
  })
  .transform((toml) => ({
    public: toml.public,
    /** Null: the project's own limit. */
    fileSizeLimitBytes: toml.file_size_limit ?? null,
    /** Empty: any. */
    allowedMimeTypes: toml.allowed_mime_types,
    objectsPath: toml.objects_path ?? null,
  }))

/** The `[storage]` section. @see supabase/cli pkg/config/storage.go */
export const storageSection = z
  .strictObject({
    enabled: flag.default(true),
    file_size_limit: size.prefault('50MiB'),
    image_transformation: z.strictObject({ enabled: flag.default(true) }).optional(),
    s3_protocol: z.strictObject({ enabled: flag.default(true) }).optional(),
    buckets: z.record(z.string(), bucket).default({}),
    analytics: z.looseObject({}).optional(),
    vector: z.looseObject({}).optional(),
  })
  .transform((toml) => ({
    enabled: toml.enabled,
    fileSizeLimitBytes: toml.file_size_limit,
    imageTransformation: toml.image_transformation?.enabled ?? true,
    s3Protocol: toml.s3_protocol?.enabled ?? true,
    buckets: toml.buckets,
  }))

export type StorageConfig = z.output<typeof storageSection>
