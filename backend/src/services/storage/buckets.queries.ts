import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'
import { isoMoment } from './objects.queries.ts'
import type { BucketRow } from './wire.ts'

// A limit may be larger than what the driver takes for a number; every one of ours fits a double.
const columns = sql`
  id, name, coalesce(owner::text, '') as owner, public, type, file_size_limit::float8 as file_size_limit, allowed_mime_types,
  ${isoMoment('created_at')} as created_at, ${isoMoment('updated_at')} as updated_at`

export const findBucketRow = (tx: Transaction, id: string): Promise<BucketRow | undefined> =>
  tx.maybeOne(sql`select ${columns} from storage.buckets where id = ${id}`)
