import type { Transaction } from '#database/database.ts'
import { json, sql, trusted } from '#database/sql.ts'
import type { CeremonyData, KnownCredential, NewCredential } from '#services/auth/webauthn/ceremonies.ts'

/** A passkey as its holder sees it. Moments as Postgres writes them. */
export interface Passkey {
  id: string
  friendlyName: string
  createdAt: string
  lastUsedAt: string | null
}

/** A passkey with what checks it. */
export interface StoredPasskey extends Passkey, KnownCredential {
  passkeyId: string
}

const shownColumns = trusted(`p.id, p.friendly_name as "friendlyName", p.created_at as "createdAt", p.last_used_at as "lastUsedAt"`)

interface CredentialRow {
  passkeyId: string
  credentialId: string
  publicKey: string
  counter: string
  transports: unknown
  isBackupEligible: boolean
}

// Bytes travel as text: the cells of both engines agree on it.
const credentialColumns = trusted(`
  p.id as "passkeyId",
  encode(p.credential_id, 'base64') as "credentialId",
  encode(p.public_key, 'base64') as "publicKey",
  p.sign_count::text as counter,
  p.transports,
  p.backup_eligible as "isBackupEligible"`)

const toCredential = (row: CredentialRow): KnownCredential & { passkeyId: string } => ({
  passkeyId: row.passkeyId,
  id: Buffer.from(row.credentialId, 'base64').toString('base64url'),
  publicKey: Buffer.from(row.publicKey, 'base64'),
  counter: Number(row.counter),
  transports: Array.isArray(row.transports) ? row.transports.filter((one) => typeof one === 'string') : [],
  isBackupEligible: row.isBackupEligible,
})

export const listPasskeys = (tx: Transaction, userId: string): Promise<Passkey[]> =>
  tx.many<Passkey>(sql`select ${shownColumns} from auth.webauthn_credentials p where p.user_id = ${userId} order by p.created_at, p.id`)

export const findPasskey = (tx: Transaction, userId: string, id: string): Promise<Passkey | undefined> =>
  tx.maybeOne<Passkey>(sql`select ${shownColumns} from auth.webauthn_credentials p where p.user_id = ${userId} and p.id = ${id}`)

export const listCredentials = async (tx: Transaction, userId: string): Promise<KnownCredential[]> =>
  (await tx.many<CredentialRow>(sql`select ${credentialColumns} from auth.webauthn_credentials p where p.user_id = ${userId} order by p.created_at`)).map(toCredential)

/** A credential of one person, kept from other transactions so that its counter is judged and moved by one at a time. */
export async function lockCredential(tx: Transaction, userId: string, credentialId: Uint8Array): Promise<(KnownCredential & { passkeyId: string }) | undefined> {
  const row = await tx.maybeOne<CredentialRow>(sql`
    select ${credentialColumns}
    from auth.webauthn_credentials p
    where p.user_id = ${userId} and p.credential_id = ${credentialId}
    for update`)
  return row && toCredential(row)
}

export const insertPasskey = (tx: Transaction, made: { id: string; userId: string; name: string; credential: NewCredential; at: Date }): Promise<number> => {
  const { credential } = made
  return tx.execute(sql`
    insert into auth.webauthn_credentials (
      id, user_id, credential_id, public_key, attestation_type, aaguid, sign_count, transports, backup_eligible, backed_up,
      friendly_name, created_at, updated_at
    ) values (
      ${made.id}, ${made.userId}, ${Buffer.from(credential.id, 'base64url')}, ${Buffer.from(credential.publicKey)}, ${credential.attestationType},
      ${credential.aaguid}::uuid, ${credential.counter}, ${json(credential.transports)}, ${credential.isBackupEligible}, ${credential.isBackedUp},
      ${made.name}, ${made.at}, ${made.at}
    )`)
}

export const noteUse = (tx: Transaction, id: string, used: { counter: number; isBackedUp: boolean; at: Date }): Promise<number> =>
  tx.execute(sql`
    update auth.webauthn_credentials
    set sign_count = ${used.counter}, backed_up = ${used.isBackedUp}, last_used_at = ${used.at}, updated_at = ${used.at}
    where id = ${id}`)

export const renamePasskey = (tx: Transaction, id: string, renamed: { name: string; at: Date }): Promise<number> =>
  tx.execute(sql`update auth.webauthn_credentials set friendly_name = ${renamed.name}, updated_at = ${renamed.at} where id = ${id}`)

/** False: it is gone already, or somebody else's. */
export const deletePasskey = async (tx: Transaction, userId: string, id: string): Promise<boolean> =>
  (await tx.execute(sql`delete from auth.webauthn_credentials where id = ${id} and user_id = ${userId}`)) > 0

export interface NewPasskeyChallenge {
  id: string
  /** Null: whoever answers says who they are. */
  userId: string | null
  type: 'registration' | 'authentication'
  data: CeremonyData
  at: Date
  expiresAt: Date
}

export const insertPasskeyChallenge = (tx: Transaction, { id, userId, type, data, at, expiresAt }: NewPasskeyChallenge): Promise<number> =>
  tx.execute(sql`
    insert into auth.webauthn_challenges (id, user_id, challenge_type, session_data, created_at, expires_at)
    values (${id}, ${userId}, ${type}, ${json(data)}, ${at}, ${expiresAt})`)

/** Takes a challenge: whoever comes second finds none. */
export const takePasskeyChallenge = (tx: Transaction, asked: { id: string; userId: string | null; type: 'registration' | 'authentication' }): Promise<{ data: unknown; expiresAt: string } | undefined> =>
  tx.maybeOne(sql`
    delete from auth.webauthn_challenges
    where id = ${asked.id} and challenge_type = ${asked.type} and user_id is not distinct from ${asked.userId}::uuid
    returning session_data as data, expires_at as "expiresAt"`)
