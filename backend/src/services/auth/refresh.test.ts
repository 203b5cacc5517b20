import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { sql } from '#database/sql.ts'

import { openTestAuth, type TestAuth } from './open-test-auth.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openTestAuth({ settings: { email: { enableConfirmations: false } } })
})
afterAll(() => auth.close())

let count = 0
const password = 'correct horse battery'

async function signIn(client: SupabaseClient = auth.client()) {
  const { data, error } = await client.auth.signUp({ email: `tab-${(count += 1)}@example.com`, password })
  expect(error).toBeNull()
  return { client, token: data.session!.refresh_token, user: data.user! }
}

const refresh = async (token: string) => {
  const answer = await auth.ask('/token?grant_type=refresh_token', { method: 'POST', body: { refresh_token: token } })
  return { status: answer.status, body: (await answer.json()) as { refresh_token: string; code?: string }, headers: answer.headers }
}

function sharedStorage() {
  const kept = new Map<string, string>()
  const wait = () => new Promise<void>((resolve) => setTimeout(resolve, Math.random() * 3))
  // Slow and uneven, as storage shared by two tabs is.
  return {
    getItem: async (key: string) => (await wait(), kept.get(key) ?? null),
    setItem: async (key: string, value: string) => (await wait(), void kept.set(key, value)),
    removeItem: async (key: string) => (await wait(), void kept.delete(key)),
  }
}

describe('refreshing', () => {
  it('trades a token for a new one', async () => {
    const { token } = await signIn()
    const first = await refresh(token)
    expect(first.status).toBe(200)
    expect(first.body.refresh_token).not.toBe(token)
    expect(first.headers.get('sb-auth-refresh-token-reuse')).toBe('false')
    expect((await refresh(first.body.refresh_token)).status).toBe(200)
  })

  it('gives the active token again for its parent, however late: the answer may have been lost', async () => {
    const { token } = await signIn()
    const first = await refresh(token)
    auth.clock.advance(3600)
    const again = await refresh(token)
    expect(again.status).toBe(200)
    expect(again.body.refresh_token).toBe(first.body.refresh_token)
    expect(again.headers.get('sb-auth-refresh-token-reuse-cause')).toBe('fail-to-save')
  })

  it('forgives an older token for the reuse interval, then ends its whole family', async () => {
    const { token: grandparent, client } = await signIn()
    const parent = await refresh(grandparent)
    const active = await refresh(parent.body.refresh_token)
    const soon = await refresh(grandparent)
    expect([soon.status, soon.body.refresh_token]).toEqual([200, active.body.refresh_token])

    auth.clock.advance(11)
    const late = await refresh(grandparent)
    expect([late.status, late.body.code]).toEqual([400, 'refresh_token_already_used'])
    for (const token of [parent.body.refresh_token, active.body.refresh_token]) {
      expect((await refresh(token)).body.code).toBe('refresh_token_already_used')
    }
    expect(client).toBeTruthy()
  })

  it('gives racing requests one token', async () => {
    const { token } = await signIn()
    const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(token)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1)
    const active = await auth.database.asAdmin('supabase_auth_admin', (tx) =>
      tx.many(sql`select t.id from auth.refresh_tokens t where t.session_id = (select session_id from auth.refresh_tokens where token = ${token}) and not t.revoked`))
    expect(active).toHaveLength(1)
  })

  it('never signs out two clients that share a storage and race fifty times', async () => {
    const options = { auth: { storage: sharedStorage(), persistSession: true, autoRefreshToken: false, storageKey: 'shared' } }
    const [left, right] = [auth.client(options), auth.client(options)]
    await signIn(left)
    const signedOut: string[] = []
    for (const [name, client] of [['left', left], ['right', right]] as const) {
      client.auth.onAuthStateChange((event) => void (event === 'SIGNED_OUT' && signedOut.push(name)))
    }
    for (let race = 0; race < 50; race += 1) {
      const answers = await Promise.all([left.auth.refreshSession(), right.auth.refreshSession()])
      // A client may find that the other has stored a newer session meanwhile; that is not a sign-out.
      for (const { error } of answers) if (error) expect(error.status).toBe(409)
    }
    expect(signedOut).toEqual([])
    for (const client of [left, right]) expect((await client.auth.getUser()).error).toBeNull()
  })

  it('tells an unknown, torn or foreign token alike', async () => {
    for (const token of ['abcdefghijkl', 'short', 'x'.repeat(400), "'; drop--"]) {
      expect((await refresh(token)).body.code).toBe('refresh_token_not_found')
    }
    const empty = await auth.ask('/token?grant_type=refresh_token', { method: 'POST', body: {} })
    expect(await empty.json()).toEqual({ error: 'invalid_request', error_description: 'refresh_token required' })
  })

  it('ends sessions by age and by idleness where the project says so', async () => {
    const strict = await openTestAuth({
      database: auth.database,
      settings: { sessions: { timeboxSeconds: 7200, inactivitySeconds: 3000, lowAssuranceSeconds: 0, singlePerUser: false }, email: { enableConfirmations: false } },
    })
    const client = strict.client()
    await client.auth.signUp({ email: `strict-${(count += 1)}@example.com`, password })
    for (let spent = 0; spent < 3; spent += 1) {
      strict.clock.advance(2000)
      expect((await client.auth.refreshSession()).error).toBeNull()
    }
    strict.clock.advance(2000)
    expect((await client.auth.refreshSession()).error).toMatchObject({ code: 'session_expired', message: 'Invalid Refresh Token: Session Expired' })

    const idle = strict.client()
    await idle.auth.signUp({ email: `idle-${(count += 1)}@example.com`, password })
    strict.clock.advance(3001)
    expect((await idle.auth.refreshSession()).error).toMatchObject({ message: 'Invalid Refresh Token: Session Expired (Inactivity)' })
  })

  it('lets only the newest session of a person go on where the project says so', async () => {
    const single = await openTestAuth({
      database: auth.database,
      settings: { sessions: { timeboxSeconds: 0, inactivitySeconds: 0, lowAssuranceSeconds: 0, singlePerUser: true }, email: { enableConfirmations: false } },
    })
    const email = `single-${(count += 1)}@example.com`
    const [first, second] = [single.client(), single.client()]
    await first.auth.signUp({ email, password })
    single.clock.advance(5)
    await second.auth.signInWithPassword({ email, password })
    expect((await first.auth.refreshSession()).error).toMatchObject({ message: expect.stringContaining('Revoked by Newer Login') })
    expect((await second.auth.refreshSession()).error).toBeNull()
  })

  it('puts claims of the project’s hook into tokens, and obeys its refusal', async () => {
    await auth.database.script('postgres', `
      create function public.token_hook(event jsonb) returns jsonb language plpgsql as $$
      begin
        if event #>> '{claims,email}' like 'refused%' then
          return jsonb_build_object('error', jsonb_build_object('http_code', 403, 'message', 'not today'));
        end if;
        return jsonb_build_object('claims', (event -> 'claims') || jsonb_build_object('plan', 'gold', 'how', event ->> 'authentication_method'));
      end $$;
      grant execute on function public.token_hook to supabase_auth_admin;
      grant usage on schema public to supabase_auth_admin;`)
    const hooked = await openTestAuth({
      database: auth.database,
      settings: { hooks: { customAccessToken: 'pg-functions://postgres/public/token_hook' }, email: { enableConfirmations: false } },
    })
    const client = hooked.client()
    await client.auth.signUp({ email: `hooked-${(count += 1)}@example.com`, password })
    expect((await client.auth.getClaims()).data?.claims).toMatchObject({ plan: 'gold', how: 'password' })
    await client.auth.refreshSession()
    expect((await client.auth.getClaims()).data?.claims).toMatchObject({ plan: 'gold', how: 'token_refresh' })
    const { error } = await hooked.client().auth.signUp({ email: `refused-${count}@example.com`, password })
    expect(error).toMatchObject({ status: 403, message: 'not today' })
  })

  it('asks the project’s hooks before a person is added and after a password was tried', async () => {
    await auth.database.script('postgres', `
      create function public.before_user(event jsonb) returns jsonb language plpgsql as $$
      begin
        if event #>> '{user,email}' not like '%@allowed.example' then
          return jsonb_build_object('error', jsonb_build_object('http_code', 400, 'message', 'only people of allowed.example'));
        end if;
        return '{}';
      end $$;
      create function public.password_tried(event jsonb) returns jsonb language plpgsql as $$
      begin
        if (event ->> 'valid')::boolean or event #>> '{metadata,name}' <> 'password-verification' then return '{"decision": "continue"}'; end if;
        return '{"decision": "reject", "message": "three strikes", "should_logout_user": true}';
      end $$;
      grant execute on function public.before_user, public.password_tried to supabase_auth_admin;`)
    const hooked = await openTestAuth({
      database: auth.database,
      settings: {
        hooks: { beforeUserCreated: 'pg-functions://postgres/public/before_user', passwordVerificationAttempt: 'pg-functions://postgres/public/password_tried' },
        email: { enableConfirmations: false },
      },
    })
    expect((await hooked.client().auth.signUp({ email: 'ada@other.example', password })).error).toMatchObject({ status: 400, message: 'only people of allowed.example' })
    const client = hooked.client()
    expect((await client.auth.signUp({ email: 'ada@allowed.example', password })).error).toBeNull()
    const wrong = await hooked.client().auth.signInWithPassword({ email: 'ada@allowed.example', password: 'wrong password' })
    expect(wrong.error).toMatchObject({ code: 'invalid_credentials', message: 'three strikes' })
    expect((await client.auth.getUser()).error).toMatchObject({ name: 'AuthSessionMissingError' })
    expect((await hooked.client().auth.signInWithPassword({ email: 'ada@allowed.example', password })).error).toBeNull()
  })

  it('signs with the secret where the project has no key pair', async () => {
    const older = await openTestAuth({ database: auth.database, alg: 'HS256', settings: { email: { enableConfirmations: false } } })
    const client = older.client()
    await client.auth.signUp({ email: `older-${(count += 1)}@example.com`, password })
    const { data, error } = await client.auth.getClaims()
    expect(error).toBeNull()
    expect(data?.header.alg).toBe('HS256')
  })
})
