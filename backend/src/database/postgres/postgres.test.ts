import { afterAll, beforeAll, describe } from 'vitest'
import { describeDatabase } from '#database/describe-database.ts'
import { openDatabase } from '#database/open.ts'
import { findPostgres, startTestCluster, type TestCluster } from './test-cluster.ts'

const bin = findPostgres()
if (bin === undefined) console.warn('SKIPPED: no Postgres server programs found, so the Postgres engine is not tested. Set PORTICO_TEST_PG_BIN.')

describe.skipIf(bin === undefined)('on a real server', () => {
  let cluster: TestCluster
  beforeAll(async () => { cluster = await startTestCluster(bin as string) })
  afterAll(() => cluster?.remove())
  describeDatabase({ engine: 'postgres', open: () => openDatabase({ engine: 'postgres', url: cluster.url('postgres'), timeouts: { idleMs: 700 } }) })
})
