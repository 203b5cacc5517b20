import type { ProjectKeys } from '#contract/keys.ts'
import type { S3Access } from '#services/storage/s3/settings.ts'
import type { Config } from './config.ts'
import type { GivenKeys } from './keys/keys.ts'
import { resolveS3Keys, type S3Keys } from './keys/s3-keys.ts'

// What the CLI calls it.
const region = 'local'

/** How the S3 protocol is reached and signed for. */
export interface S3Endpoint extends S3Keys {
  url: string
  region: string
}

/** Who may use the S3 protocol. Requests that carry a user's token name the project where others name a key: as the older keys, the CLI or the file call it. */
export const s3AccessOf = ({ secretKey }: ProjectKeys, given: GivenKeys | undefined, { projectId }: Config): S3Access => ({
  region,
  ...resolveS3Keys(secretKey, given?.s3),
  projectRefs: ['portico', 'stub', 'local', ...(projectId === '' ? [] : [projectId])],
})

/** What a person is told of it; nothing while it is switched off. */
export function s3EndpointOf({ keys, given, config, origin }: { keys: ProjectKeys; given: GivenKeys | undefined; config: Config; origin: string }): { s3?: S3Endpoint } {
  const { enabled, s3Protocol } = config.storage
  return enabled && s3Protocol ? { s3: { url: `${origin}/storage/v1/s3`, region, ...resolveS3Keys(keys.secretKey, given?.s3) } } : {}
}
