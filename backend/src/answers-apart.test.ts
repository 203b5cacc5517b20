import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestBox, type TestBox } from './open-test-box.ts'

// The box's API and the app's pages are one origin. What the API answers must never act as a page of the app: it would hold the session.

const migration = `
create domain "text/html" as text;
create domain "image/svg+xml" as text;
create domain "application/xhtml+xml" as text;
create domain "text/xml" as text;
create domain "text/plain" as text;
create table public.notes (id int primary key, body text not null);
grant select on public.notes to anon;
insert into public.notes values (1, '<script>alert(document.cookie)</script>');
create function public.page() returns "text/html" language sql stable as $$ select body::"text/html" from public.notes $$;
create function public.picture() returns "image/svg+xml" language sql stable as $$ select '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'::"image/svg+xml" $$;
create function public.strict_page() returns "application/xhtml+xml" language sql stable as $$ select '<html xmlns="http://www.w3.org/1999/xhtml"/>'::"application/xhtml+xml" $$;
create function public.feed() returns "text/xml" language sql stable as $$ select '<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>'::"text/xml" $$;
create function public.dressed_up() returns text language plpgsql stable as $$ begin
  perform set_config('response.headers', '[{"Content-Type":"text/html"}]', true);
  return '<script>alert(1)</script>';
end $$;
create function public.words() returns "text/plain" language sql stable as $$ select '<script>alert(1)</script>'::"text/plain" $$;
`

let box: TestBox
beforeAll(async () => {
  box = await openTestBox({ migration })
})
afterAll(() => box.close())

// As a browser asks that is sent there by a link: the key stands in the address.
const navigate = (path: string, accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/svg+xml,*/*;q=0.8') => {
  const url = new URL(path, box.url)
  url.searchParams.set('apikey', box.backend.keys.publishableKey)
  return fetch(url, { headers: { accept, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, redirect: 'manual' })
}

describe('what the data API answers, opened as a page', () => {
  it.each([
    ['page', 'text/html'],
    ['picture', 'image/svg+xml'],
    ['strict_page', 'application/xhtml+xml'],
    ['feed', 'text/xml'],
    ['dressed_up', 'application/json'],
  ])('%s runs in a sandbox, apart from the app', async (name, accept) => {
    const answer = await navigate(`/rest/v1/rpc/${name}`, accept)
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('<')])
    expect(answer.headers.get('content-type')).not.toMatch(/json|plain/)
    expect(answer.headers.get('content-security-policy')).toMatch(/^sandbox /)
    expect(answer.headers.get('content-security-policy')).not.toContain('allow-same-origin')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('is text where it is text, whatever stands in it', async () => {
    const answer = await navigate('/rest/v1/rpc/words', 'text/plain')
    expect([answer.headers.get('content-type')?.split(';')[0], answer.headers.get('x-content-type-options')]).toEqual(['text/plain', 'nosniff'])
    const rows = await navigate('/rest/v1/notes', 'application/json')
    expect([rows.headers.get('content-type'), rows.headers.get('content-security-policy')]).toEqual(['application/json; charset=utf-8', null])
  })
})

it('no answer of the API is guessed to be a page or a script', async () => {
  const evil = encodeURIComponent('"><script>alert(1)</script>')
  const paths = [
    `/rest/v1/${evil}`, `/rest/v1/notes?select=${evil}`, `/auth/v1/${evil}`, `/auth/v1/verify?token=${evil}&type=${evil}`, `/auth/v1/authorize?provider=${evil}`,
    `/auth/v1/callback?error=${evil}&error_description=${evil}`, '/auth/v1/settings', '/auth/v1/.well-known/jwks.json', `/auth/v1/oauth/authorize?client_id=${evil}`,
    `/storage/v1/object/public/${evil}/${evil}`, `/functions/v1/${evil}`, `/realtime/v1/${evil}`, `/${evil}/v1/x`, '/health', '/pg/x', '/graphql/v1',
  ]
  for (const path of paths) {
    const answer = await navigate(path)
    const text = await answer.text()
    expect([path, answer.headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
    const isPage = /html|xml|svg/.test(answer.headers.get('content-type') ?? '')
    expect([path, isPage]).toEqual([path, false])
    expect([path, answer.headers.get('location')?.includes('<script') ?? false]).toEqual([path, false])
    if (answer.status >= 500) expect(text).not.toMatch(/ at .*\.ts|node_modules|password/)
  }
})
