import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { parseDotenv } from './config/environment.ts'
import { parseDurationMs, parseSizeBytes } from './config/scalars.ts'
import { findProjectFolder, readProjectSources } from './project-folder.ts'

const read = (configToml: string, env: Record<string, string> = {}) => readConfig({ env, configToml })

const faultsOf = (work: () => unknown): readonly string[] => {
  try {
    work()
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

describe('readConfig', () => {
  test('reads how Realtime is set up, and its limits from the environment', () => {
    const { config, warnings } = read('[realtime]\nenabled = false\nip_version = "IPv6"\nmax_header_length = 8192', { PORTICO_REALTIME_CONNECTIONS: '50' })
    expect(config.realtime).toEqual({ enabled: false, maxHeaderBytes: 8192 })
    expect(config.server.realtimeLimits).toEqual({ maxConnections: 50 })
    expect(warnings).toEqual([])
    expect(faultsOf(() => read('', { PORTICO_REALTIME_CHANNELS: '0' }))).toHaveLength(1)
  })

  test('says of each value what is expected there, and never what it holds', () => {
    const file = '[api]\nmax_rows = "many"\nschemas = 5\n[auth]\nenabled = "maybe"\nsite_url = 7\npassword_requirements = "secret-one"\njwt_expiry = 999999999\n[storage]\nfile_size_limit = true'
    expect(faultsOf(() => read(file, { PORTICO_PUBLIC_URL: 'ftp://somewhere', PORTICO_DURABLE: 'perhaps' })).toSorted()).toMatchInlineSnapshot(`
      [
        "PORTICO_DURABLE: expected true or false, got text",
        "PORTICO_PUBLIC_URL: expected an address like https://api.example.com",
        "config.toml, api.max_rows: expected a number, got text",
        "config.toml, api.schemas: expected a list, got a number",
        "config.toml, auth.enabled: expected true or false, got text",
        "config.toml, auth.jwt_expiry: expected at most 604800",
        "config.toml, auth.password_requirements: expected "" or "letters_digits" or "lower_upper_letters_digits" or "lower_upper_letters_digits_symbols"",
        "config.toml, auth.site_url: expected text, got a number",
        "config.toml, storage.file_size_limit: expected text or a number",
      ]
    `)
  })

  test('gives the defaults of the CLI when there is no file', () => {
    const { config, warnings } = readConfig({ env: {} })
    expect(warnings).toEqual([])
    expect(config.api).toMatchObject({ schemas: ['public', 'graphql_public'], maxRows: 1000, autoExposeNewTables: true })
    expect(config.auth).toMatchObject({ jwtExpirySeconds: 3600, enableSignup: true, refreshTokenReuseSeconds: 10 })
    expect(config.auth.email).toMatchObject({ enableConfirmations: false, otpExpirySeconds: 3600, maxFrequencyMs: 1000, smtp: null })
    expect(config.db.seed).toEqual({ enabled: true, sqlPaths: ['./seed.sql'] })
    expect(config.storage.fileSizeLimitBytes).toBe(52_428_800)
  })

  test('reads every kind of value, and env() from the process and from .env', () => {
    const { config, warnings } = readConfig({
      env: { SECRET: 'from process' },
      dotenv: ['SECRET="from file"\nID=abc # the client\nFLAG=true\n'],
      configToml: `
        [auth]
        site_url = "https://app.example.com"
        [auth.sessions]
        timebox = "24h"
        [auth.external.github]
        enabled = "env(FLAG)"
        client_id = "env(ID)"
        secret = "env(SECRET)"
        [auth.external.nobody]
        enabled = true
        client_id = "x"
        [storage.buckets.avatars]
        public = true
        file_size_limit = "5MB"
        [functions.hello]
        verify_jwt = false`,
    })
    expect(warnings).toEqual(['config.toml switches on what this version does not do; count on none of it: auth.external.nobody.'])
    expect(config.auth.siteUrl).toBe('https://app.example.com')
    expect(config.auth.sessions.timeboxMs).toBe(86_400_000)
    expect(config.auth.external.github).toMatchObject({ enabled: true, clientId: 'abc', secret: 'from process' })
    expect(config.storage.buckets.avatars).toMatchObject({ public: true, fileSizeLimitBytes: 5 * 1024 * 1024 })
    expect(config.functions.hello).toMatchObject({ enabled: true, verifyJwt: false })
  })

  test('heeds how functions run, and says which inspector and which Deno are not to be had', () => {
    const usual = read('[edge_runtime]\npolicy = "oneshot"\ninspector_port = 8083\ndeno_version = 2\n[edge_runtime.secrets]\nstripe_key = "sk"\n[functions.hello.env]\nTONE = "kind"')
    expect(usual.warnings).toEqual([])
    expect(usual.config.edgeRuntime).toEqual({ enabled: true, policy: 'oneshot', secrets: { STRIPE_KEY: 'sk' } })
    expect(usual.config.functions.hello?.env).toEqual({ TONE: 'kind' })
    const odd = read('[edge_runtime]\ninspector_port = 9229\ndeno_version = 1')
    expect(odd.warnings).toEqual(['config.toml switches on what this version does not do; count on none of it: edge_runtime.inspector_port, edge_runtime.deno_version.'])
    expect(read('', { PORTICO_FUNCTIONS_MEMORY_MB: '512', PORTICO_FUNCTIONS_CPU_SECONDS: '10' }).config.server.functionLimits).toEqual({ memoryBytes: 512 * 1024 * 1024, cpuMs: 10_000 })
    const { server } = readConfig({ env: { npm_config_registry: 'http://127.0.0.1:4873' }, dotenv: ['PORTICO_DENO=/project/evil\nPORTICO_FUNCTIONS_WORKERS=4'] }).config
    expect(server).toMatchObject({ denoPath: undefined, functionLimits: { workers: 4 }, downloads: { NPM_CONFIG_REGISTRY: 'http://127.0.0.1:4873' } })
    expect(faultsOf(() => read('', { PORTICO_FUNCTIONS_MEMORY_MB: '1' })).join()).toContain('PORTICO_FUNCTIONS_MEMORY_MB')
  })

  test('sends the secret of the captcha to no address in clear but this machine\'s own', () => {
    const fault = 'PORTICO_CAPTCHA_URL: must start with https://, unless it is on this machine'
    for (const url of ['http://captcha.example/siteverify', 'http://localhost.evil.example/']) expect(faultsOf(() => read('', { PORTICO_CAPTCHA_URL: url }))).toEqual([fault])
    for (const url of ['https://captcha.example/siteverify', 'http://127.0.0.1:9/', 'http://localhost:9/', 'http://[::1]:9/']) expect(read('', { PORTICO_CAPTCHA_URL: url }).config.server.captchaUrl).toBe(url)
    expect(read('').config.server.captchaUrl).toBeUndefined()
  })

  test('names unknown keys of every depth in one warning and goes on', () => {
    const { config, warnings } = read('speed = 1\n[auth.email]\notp_length = 8\nshiny = true\n[auth.email.smtp]\nhots = "x"\n[made.up]\nx = 1')
    expect(warnings).toHaveLength(1)
    for (const key of ['speed', 'made', 'auth.email.shiny', 'auth.email.smtp.hots']) expect(warnings[0]).toContain(key)
    expect(config.auth.email.otpLength).toBe(8)
  })

  test('lists every fault at once, from the file and from the environment, without values of secrets', () => {
    const faults = faultsOf(() =>
      read('[api]\nmax_rows = "many"\n[auth]\njwt_expiry = 9999999\n[auth.sessions]\ntimebox = "soon"', {
        PORTICO_PORT: '70000',
        PORTICO_SECRET_KEY: 'my-secret-thing',
        PORTICO_JWT_SECRET: 'short-secret',
      }),
    )
    for (const name of ['api.max_rows', 'auth.jwt_expiry', 'auth.sessions.timebox', 'PORTICO_PORT', 'PORTICO_SECRET_KEY', 'PORTICO_JWT_SECRET']) {
      expect(faults.join('\n')).toContain(name)
    }
    expect(faults.join('\n')).not.toMatch(/my-secret-thing|short-secret/)
  })

  test('files are kept in a bucket elsewhere by the names the hosted storage API has for it, its keys apart from the rest', () => {
    expect(read('').config.fileStore).toEqual({ kind: 'disk' })
    const secret = 'a-secret-of-the-bucket'
    const env = { STORAGE_BACKEND: 's3', GLOBAL_S3_BUCKET: 'files', GLOBAL_S3_ENDPOINT: 'http://127.0.0.1:9000', GLOBAL_S3_FORCE_PATH_STYLE: 'true', REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: secret, TENANT_ID: 'mine' }
    const { config, keys } = read('', env)
    expect(config.fileStore).toEqual({ kind: 's3', bucket: 'files', endpoint: 'http://127.0.0.1:9000', region: 'eu-central-1', forcePathStyle: true, tenantId: 'mine' })
    expect(keys.fileStore).toEqual({ accessKeyId: 'id', secretAccessKey: secret })
    expect(JSON.stringify(config)).not.toContain(secret)
    expect(read('', { ...env, GLOBAL_S3_ENDPOINT: '' }).config.fileStore).toMatchObject({ endpoint: 'https://s3.eu-central-1.amazonaws.com' })
    const faults = faultsOf(() => read('', { STORAGE_BACKEND: 's3', STORAGE_S3_BUCKET: '../x', STORAGE_S3_ENDPOINT: 'ftp://x', AWS_SECRET_ACCESS_KEY: secret }))
    expect(faults).toEqual([
      'STORAGE_S3_BUCKET or GLOBAL_S3_BUCKET: is not the name of a bucket',
      'STORAGE_S3_ENDPOINT or GLOBAL_S3_ENDPOINT: must be an address that starts with https:// or http://',
      'AWS_ACCESS_KEY_ID is missing: STORAGE_BACKEND=s3 needs it',
    ])
    expect(faultsOf(() => read('', { STORAGE_BACKEND: 'gcs' }))).toEqual(['STORAGE_BACKEND: must be "file" or "s3"'])
  })

  test('a pair of keys for the S3 protocol is given whole or not at all', () => {
    expect(read('', { S3_PROTOCOL_ACCESS_KEY_ID: 'id', S3_PROTOCOL_ACCESS_KEY_SECRET: 'a-long-enough-secret' }).keys.s3).toEqual({ accessKeyId: 'id', secretAccessKey: 'a-long-enough-secret' })
    const faults = [{ S3_PROTOCOL_ACCESS_KEY_ID: 'id' }, { S3_PROTOCOL_ACCESS_KEY_SECRET: 'a-long-enough-secret' }, { S3_PROTOCOL_ACCESS_KEY_ID: 'a/b', S3_PROTOCOL_ACCESS_KEY_SECRET: 'a-long-enough-secret' }, { S3_PROTOCOL_ACCESS_KEY_ID: 'id', S3_PROTOCOL_ACCESS_KEY_SECRET: 'short' }]
      .map((env) => faultsOf(() => read('', env)).join())
    for (const fault of faults) expect(fault).toContain('S3_PROTOCOL_ACCESS_KEY')
    expect(faults.join()).not.toMatch(/a-long-enough-secret|short/)
  })

  test('says line and column of a file that is not TOML', () => {
    expect(faultsOf(() => read('[auth]\nsite_url = "http://x\n'))[0]).toMatch(/^config\.toml, line 2, column \d+: /)
  })

  test('leaves a key out whose variable is not set, and says so once', () => {
    const { config, warnings } = read('[auth]\nadditional_redirect_urls = ["env(GONE)", "https://a"]\n[auth.external.google]\nenabled = true\nclient_id = "env(GONE)"')
    expect(config.auth.additionalRedirectUrls).toEqual(['https://a'])
    expect(config.auth.external.google?.enabled).toBe(false)
    expect(warnings).toEqual([
      'config.toml names environment variables that are not set: GONE.',
      'Sign-in providers without a client_id are off: google.',
    ])
  })

  test('takes a JWT secret of 16 characters from the file, with a warning, and one of 32 from the environment', () => {
    const { keys, warnings } = read('[auth]\njwt_secret = "sixteen-letters!"')
    expect(keys.jwtSecret).toBe('sixteen-letters!')
    expect(warnings).toEqual([expect.stringContaining('config.toml, auth.jwt_secret is shorter than 32 bytes')])
    expect(faultsOf(() => read('[auth]\njwt_secret = "too-short"'))).toEqual(['config.toml, auth.jwt_secret: must be at least 16 bytes long'])
    expect(faultsOf(() => read('[auth]\njwt_secret = "too-short"', { PORTICO_JWT_SECRET: 'sixteen-letters!' }))).toEqual(['PORTICO_JWT_SECRET: must be at least 32 bytes long'])
    expect(read(`[auth]\njwt_secret = "${'long'.repeat(8)}"`).warnings).toEqual([])
  })

  test('warns of secrets that everybody knows, wherever they stand', () => {
    const demo = (role: string) => `e30.${Buffer.from(JSON.stringify({ iss: 'supabase-demo', role })).toString('base64url')}.x`
    const known = 'is one that Supabase publishes for trying things out'
    expect(read('[auth]\njwt_secret = "super-secret-jwt-token-with-at-least-32-characters-long"').warnings).toEqual([expect.stringContaining(`config.toml, auth.jwt_secret ${known}`)])
    const { warnings } = read('', { PORTICO_JWT_SECRET: 'your-super-secret-jwt-token-with-at-least-32-characters-long', PORTICO_SERVICE_ROLE_KEY: demo('service_role'), PORTICO_ANON_KEY: demo('anon') })
    expect(warnings).toEqual([expect.stringContaining(`PORTICO_JWT_SECRET ${known}`), expect.stringContaining(`PORTICO_SERVICE_ROLE_KEY ${known}`)])
    expect(warnings.join()).not.toMatch(/super-secret|e30\./)
  })

  test('says of a key in the file that it stands in the file', () => {
    const file = '[auth]\npublishable_key = "a"\nsecret_key = "b"\nanon_key = "c"\nservice_role_key = "d"'
    expect(faultsOf(() => read(file)).map((fault) => fault.split(':')[0])).toEqual(
      ['publishable_key', 'secret_key', 'anon_key', 'service_role_key'].map((name) => `config.toml, auth.${name}`),
    )
  })

  test('names in one warning what is switched on and not done, so that nobody counts on it', () => {
    const { warnings } = read(`
      [api.tls]
      enabled = true
      [db.network_restrictions]
      enabled = true
      [db.settings]
      statement_timeout = "2s"
      [auth.third_party.clerk]
      enabled = true
      [auth.sms.twilio]
      enabled = "true"
      [auth.hook.custom_access_token]
      enabled = true
      uri = "pg-functions://postgres/public/claims"
      [auth.hook.send_sms]
      enabled = false`)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]?.split(': ')[1]).toBe(
      'api.tls, db.network_restrictions, auth.third_party.clerk, db.settings.',
    )
  })

  test('refuses a hook that is sent over an open network or not signed, without telling its secret', () => {
    const hook = (uri: string, secrets = `v1,whsec_${'s'.repeat(32)}`) => `[auth.hook.send_email]\nenabled = true\nuri = "${uri}"\nsecrets = "${secrets}"`
    for (const uri of ['http://example.com/mail', 'http://169.254.169.254/', 'http://127.0.0.1.example.com/', 'ftp://example.com', 'pg-functions://postgres/public/drop;table']) {
      expect(() => read(hook(uri)), uri).toThrow(/send_email/)
    }
    for (const uri of ['https://example.com/mail', 'http://127.0.0.1:54321/functions/v1/mail', 'http://host.docker.internal/mail', 'pg-functions://postgres/public/mail']) {
      expect(read(hook(uri)).config.auth.hooks.sendEmail?.uri, uri).toBe(uri)
    }
    expect(() => read(hook('https://example.com/mail', 'v1,whsec_short'))).toThrow(/secrets must be/)
    expect(() => read(hook('https://example.com/mail', 'v1,whsec_short'))).not.toThrow(/whsec_short/)
    expect(read(hook('https://example.com/mail', `v1,whsec_${'a'.repeat(32)}|v1,whsec_${'b'.repeat(32)}`)).config.auth.hooks.sendEmail?.secrets).toHaveLength(2)
  })

  test('warns when a proxy stands before the box that is not known by its address', () => {
    const warningsOf = (env: Record<string, string>) => read('', env).warnings
    expect(warningsOf({ PORTICO_PUBLIC_URL: 'https://api.example.com' })).toEqual([expect.stringContaining('PORTICO_TRUSTED_PROXIES')])
    expect(warningsOf({ PORTICO_PUBLIC_URL: 'https://api.example.com', PORTICO_TRUSTED_PROXIES: '10.0.0.1' })).toEqual([])
  })

  test('keeps given keys apart from the rest', () => {
    const secret = 's'.repeat(32)
    const { keys, config } = read('[auth]\nanon_key = "a.b.c"', { PORTICO_JWT_SECRET: secret, PORTICO_PUBLISHABLE_KEY: 'sb_publishable_x' })
    expect(keys).toEqual({ jwtSecret: secret, publishableKey: 'sb_publishable_x', anonKey: 'a.b.c' })
    expect(JSON.stringify(config)).not.toContain(secret)
  })
})

describe('a project folder', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'portico-project-'))
    await mkdir(join(folder, 'supabase', 'templates'), { recursive: true })
    await writeFile(join(folder, 'supabase', 'config.toml'), '[auth.email.template.recovery]\nsubject = "env(SUBJECT)"\ncontent_path = "./supabase/templates/recovery.html"\n[auth.email.template.invite]\ncontent_path = "./gone.html"')
    await writeFile(join(folder, 'supabase', 'templates', 'recovery.html'), '<p>{{ .TokenHash }}</p>')
    await writeFile(join(folder, 'supabase', '.env'), 'SUBJECT=Mend it')
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('is found from above and from itself, with its data beside it', () => {
    expect(findProjectFolder(folder)).toEqual(findProjectFolder(join(folder, 'supabase')))
    expect(findProjectFolder(folder).data).toBe(join(folder, '.portico'))
    expect(() => findProjectFolder(join(folder, 'supabase', 'templates'))).toThrow(/has no folder "supabase"/)
    expect(() => findProjectFolder(join(folder, 'nowhere'))).toThrow(/is not a folder/)
  })

  test('has its mail templates read, and a missing one named', () => {
    const { config, warnings } = readConfig(readProjectSources(findProjectFolder(folder), {}))
    expect(config.auth.email.templates.recovery).toEqual({ enabled: true, subject: 'Mend it', content: '<p>{{ .TokenHash }}</p>' })
    expect(config.auth.email.templates.invite?.content).toBeUndefined()
    expect(warnings).toEqual(['The mail template "invite" names ./gone.html, which is not there; the default text is used.'])
  })
})

test('durations, sizes and .env lines are read as the CLI reads them', () => {
  expect(['1h30m', '5s', '0', '1.5h'].map(parseDurationMs)).toEqual([5_400_000, 5000, 0, 5_400_000])
  expect(['soon', '5', ''].map(parseDurationMs)).toEqual([undefined, undefined, undefined])
  expect(['50MiB', '5MB', '500KB', '12', '1g'].map(parseSizeBytes)).toEqual([52_428_800, 5_242_880, 512_000, 12, 1_073_741_824])
  expect(parseSizeBytes('big')).toBeUndefined()
  expect(parseDotenv('# no\nexport A=1\nB = "x\\ny" # c\nC=\'#"\'\nD=a b  \nE=')).toEqual({ A: '1', B: 'x\ny', C: '#"', D: 'a b', E: '' })
})
