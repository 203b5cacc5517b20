/** Who may use the S3 endpoint. */
export interface S3Access {
  /** Named in signatures: `local`. */
  region: string
  /** The pair that acts as `service_role`. */
  accessKeyId: string
  secretAccessKey: string
  /** Access key ids of requests that carry a user's access token as their session token; a public key of the project is their secret. */
  projectRefs: readonly string[]
}
