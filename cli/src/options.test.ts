import { describe, expect, test } from 'vitest'
import { readCommand } from './options.ts'

const read = (line: string) => readCommand(line === '' ? [] : line.split(' '), '/example')
const jwt = (role: string) => `e30.${Buffer.from(JSON.stringify({ role })).toString('base64url')}.x`

describe('the command line', () => {
  test('starts the example when nothing is said, and any folder when one is named', () => {
    expect(read('')).toEqual({ kind: 'box', project: '/example', reset: false, yes: false, verbose: false })
    expect(read('--project /p --port 8000 --host 0.0.0.0 --reset --yes')).toMatchObject({ kind: 'box', project: '/p', port: 8000, host: '0.0.0.0', reset: true, yes: true })
    expect(read('--port 0')).toMatchObject({ port: 0 })
    expect(read('start --database postgres://u:p@h/d')).toMatchObject({ databaseUrl: 'postgres://u:p@h/d' })
  })

  test('serves the app for a project elsewhere', () => {
    expect(read('--url https://abc.supabase.co/ --key sb_publishable_x')).toMatchObject({ kind: 'app', url: 'https://abc.supabase.co', key: 'sb_publishable_x' })
    expect(read(`--url http://10.0.0.1:8000/base --key ${jwt('anon')}`)).toMatchObject({ url: 'http://10.0.0.1:8000/base' })
  })

  test('refuses secret keys of both kinds without repeating them', () => {
    for (const key of ['sb_secret_abcdefgh', jwt('service_role')]) {
      expect(() => read(`--url https://a.co --key ${key}`)).toThrow(/is a secret key/)
      expect(() => read(`--url https://a.co --key ${key}`)).not.toThrow(new RegExp(key.slice(-8)))
    }
  })

  test.each([
    ['--prot 1', /Unknown option '--prot'/],
    ['--port', /argument missing/],
    ['--port 70000', /--port takes a number/],
    ['--port 80x', /--port takes a number/],
    ['--url https://a.co', /go together/],
    ['--key sb_publishable_x', /go together/],
    ['--url ftp://a --key sb_publishable_x', /--url takes/],
    ['--url https://a.co --key nonsense', /neither a publishable key/],
    ['--url https://a.co --key sb_publishable_x --project x', /does not go with --project/],
    ['--database mysql://x', /postgres:\/\//],
    ['--database postgres://x --reset', /yours to empty/],
    ['begin', /"begin" is not understood/],
    ['--json', /belongs to status/],
    ['--write x', /belongs to pack/],
    ['pack --port 80', /--port does not go with pack/],
  ])('%s is refused with a reason', (line, reason) => {
    expect(() => read(line)).toThrow(reason)
  })

  test('asks for status and help', () => {
    expect(read('status --json --project /p')).toEqual({ kind: 'status', project: '/p', json: true })
    expect(read('pack')).toEqual({ kind: 'pack' })
    expect(read('pack --write supabase/migrations')).toEqual({ kind: 'pack', folder: 'supabase/migrations' })
    expect(read('--help')).toEqual({ kind: 'help' })
    expect(read('--version')).toEqual({ kind: 'version' })
  })
})
