import dblink from './stand-ins/dblink.sql'
import http from './stand-ins/http.sql'
import hypopg from './stand-ins/hypopg.sql'
import indexAdvisor from './stand-ins/index_advisor.sql'
import pgCron from './stand-ins/pg_cron.sql'
import pgGraphql from './stand-ins/pg_graphql.sql'
import pgJsonschema from './stand-ins/pg_jsonschema.sql'
import pgNet from './stand-ins/pg_net.sql'
import pgStatMonitor from './stand-ins/pg_stat_monitor.sql'
import pgTle from './stand-ins/pg_tle.sql'
import pgjwt from './stand-ins/pgjwt.sql'
import pgaudit from './stand-ins/pgaudit.sql'
import pgroonga from './stand-ins/pgroonga.sql'
import pgsodium from './stand-ins/pgsodium.sql'
import plpgsqlCheck from './stand-ins/plpgsql_check.sql'
import plv8 from './stand-ins/plv8.sql'
import postgresFdw from './stand-ins/postgres_fdw.sql'
import supabaseDbdev from './stand-ins/supabase-dbdev.sql'
import supabaseVault from './stand-ins/supabase_vault.sql'
import wrappers from './stand-ins/wrappers.sql'

/** An extension the embedded engine has no files for, made of SQL under its own name. */
export interface StandIn {
  name: string
  version: string
  /** What `create extension` runs. */
  script: string
  requires?: readonly string[]
  /** The one schema it can be in; left out: any. */
  schema?: string
  /** How far it goes, for the person who starts a project that names it; left out: all the way. */
  lacks?: string
}

const nothingOfItsOwn = '-- Nothing of its own to define.'

/** Extensions that only change how a server works: they exist, and do nothing. */
const silent = [
  'pg_repack', 'pg_prewarm', 'pg_hint_plan', 'pg_plan_filter', 'safeupdate', 'supautils', 'pg_backtrace', 'wal2json', 'pg_partman',
  'plpgsql_lint', 'rum', 'timescaledb', 'pgrouting', 'pg_hashids', 'pgtap', 'address_standardizer', 'address_standardizer_data_us',
  'pgstattuple', 'pgrowlocks', 'sslinfo', 'xml2', 'intagg', 'pg_proctab', 'plls', 'plcoffee', 'pljava', 'basejump-supabase_test_helpers',
]

/** Every stand-in, by what `create extension` calls it. */
export const standIns: readonly StandIn[] = [
  { name: 'pgjwt', version: '0.2.0', script: pgjwt, requires: ['pgcrypto'] },
  { name: 'pg_net', version: '0.19.5', script: pgNet },
  { name: 'pg_cron', version: '1.6.4', script: pgCron },
  { name: 'supabase_vault', version: '0.3.1', script: supabaseVault, requires: ['pgcrypto'], schema: 'vault' },
  { name: 'pgsodium', version: '3.1.8', script: pgsodium, requires: ['pgcrypto'], lacks: 'it has keys and deterministic encryption only' },
  { name: 'pg_jsonschema', version: '0.3.3', script: pgJsonschema },
  { name: 'pg_graphql', version: '1.5.11', script: pgGraphql, lacks: 'GraphQL requests are answered with an error' },
  { name: 'http', version: '1.6', script: http, lacks: 'requests inside a transaction are refused; pg_net makes them after it' },
  { name: 'pg_tle', version: '1.4.0', script: pgTle, lacks: 'installing an extension by it is refused' },
  { name: 'supabase-dbdev', version: '0.0.5', script: supabaseDbdev, lacks: 'packages of database.dev are not installed' },
  { name: 'hypopg', version: '1.4.1', script: hypopg, lacks: 'hypothetical indexes are refused' },
  { name: 'index_advisor', version: '0.2.0', script: indexAdvisor, lacks: 'asking it is refused' },
  { name: 'wrappers', version: '0.5.4', script: wrappers, lacks: 'foreign tables can be declared, reading one fails' },
  { name: 'postgres_fdw', version: '1.1', script: postgresFdw, lacks: 'foreign tables can be declared, reading one fails' },
  { name: 'dblink', version: '1.2', script: dblink, lacks: 'connections are refused' },
  { name: 'plv8', version: '3.1.10', script: plv8, lacks: 'functions in it can be created, calling one fails' },
  { name: 'plpgsql_check', version: '2.7', script: plpgsqlCheck, lacks: 'asking it is refused' },
  { name: 'pgaudit', version: '1.7', script: pgaudit, lacks: 'it writes no log' },
  { name: 'pgroonga', version: '3.2.5', script: pgroonga, lacks: 'it searches without an index' },
  { name: 'pg_stat_monitor', version: '2.1', script: pgStatMonitor, lacks: 'it monitors nothing' },
  ...silent.map((name) => ({ name, version: '1.0', script: nothingOfItsOwn, lacks: 'it exists and does nothing' })),
]

/** The control file that tells Postgres of a stand-in. */
export const controlFile = ({ name, version, requires = [], schema }: StandIn): string =>
  [
    `comment = 'stand-in for ${name}'`,
    `default_version = '${version}'`,
    'relocatable = false',
    'superuser = true',
    'trusted = true',
    ...(requires.length > 0 ? [`requires = '${requires.join(', ')}'`] : []),
    ...(schema === undefined ? [] : [`schema = '${schema}'`]),
    '',
  ].join('\n')
