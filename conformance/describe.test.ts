import { beforeAll, describe, expect, test } from 'vitest'
import { client, person } from './target.ts'

interface Relation {
  name: string
  can: Record<string, boolean>
  columns: { name: string; can: string }[]
}
interface Description {
  format?: number
  fingerprint: string
  unchanged?: boolean
  schemas?: { name: string; relations?: Relation[]; functions?: { name: string }[] }[]
}

let ada: Awaited<ReturnType<typeof person>>
beforeAll(async () => {
  ada = await person()
})

const ask = async (own: Awaited<ReturnType<typeof person>>['client'], args = {}): Promise<Description> => {
  const { data, error } = await own.rpc('portico_describe', args)
  expect(error).toBeNull()
  return data as Description
}
const relationsOf = (description: Description) => description.schemas?.find(({ name }) => name === 'public')?.relations ?? []

describe('what the project says of itself', () => {
  test('is what the asking role may do, and nothing of what it may not know', async () => {
    const description = await ask(ada.client)
    expect(description.format).toBe(1)
    const relations = relationsOf(description)
    expect(relations.find(({ name }) => name === 'notes')?.can).toEqual({ select: true, insert: true, update: true, delete: true })
    expect(relations.find(({ name }) => name === 'announcements')?.can).toEqual({ select: true, insert: false, update: false, delete: false })
    expect(relations.find(({ name }) => name === 'half_shown')?.columns.map(({ name }) => name)).toEqual(['id', 'shown'])
    expect(JSON.stringify(description)).not.toMatch(/hidden[_ ]/)
  })

  test('names the schemas the API exposes, and of others asked for only what the role has a right to', async () => {
    expect((await ask(ada.client)).schemas?.map(({ name }) => name).sort()).toEqual(['public', 'shop'])
    expect(JSON.stringify(await ask(ada.client, { schemas: ['auth', 'pg_catalog', 'vault', 'supabase_migrations', '_portico'] }))).not.toMatch(
      /encrypted_password|refresh_tokens|pg_authid|decrypted_secret|schema_migrations|project_load/,
    )
  })

  test('is less for somebody who has not signed in', async () => {
    const answer = await client().rpc('portico_describe')
    const names = answer.error ? [] : relationsOf(answer.data as Description).map(({ name }) => name)
    for (const name of ['notes', 'comments', 'half_shown', 'hidden_table']) expect(names).not.toContain(name)
  })

  test('is one short word when nothing has changed', async () => {
    const { fingerprint } = await ask(ada.client)
    expect(await ask(ada.client, { known: fingerprint })).toEqual({ unchanged: true, fingerprint })
  })
})
