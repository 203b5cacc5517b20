import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Somebody the local identity provider knows. */
export interface Person {
  /** Made from the address: the same address is the same person, after a restart too. */
  sub: string
  name: string
  /** Lower case. */
  email: string
  isVerified: boolean
}

/** Who can be chosen. */
export interface People {
  list(): readonly Person[]
  find(sub: string): Person | undefined
  /** Adds somebody, or writes over who had the address, and puts them first. */
  remember(person: Omit<Person, 'sub'>): Promise<Person>
}

const mostPeople = 50

const subOf = (email: string): string => createHash('sha256').update(`local identity:${email}`).digest('hex').slice(0, 32)

function isPerson(value: unknown): value is Person {
  if (typeof value !== 'object' || value === null) return false
  const { sub, name, email, isVerified } = value as Record<string, unknown>
  return [sub, name, email].every((one) => typeof one === 'string') && typeof isVerified === 'boolean'
}

async function readPeople(file: string | undefined): Promise<Person[]> {
  if (file === undefined) return []
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    return Array.isArray(value) ? value.filter(isPerson).slice(0, mostPeople) : []
  } catch {
    // Not there yet, or torn: whoever is missing is typed again.
    return []
  }
}

/**
 * Opens who is known.
 *
 * @param folder where they are kept; left out: in memory.
 * @param usual who is there when nobody else is.
 */
export async function openPeople(folder: string | undefined, usual: readonly Omit<Person, 'sub'>[]): Promise<People> {
  const file = folder === undefined ? undefined : join(folder, 'people.json')
  let people = await readPeople(file)
  const known = new Set(people.map(({ email }) => email))
  people.push(...usual.filter(({ email }) => !known.has(email)).map((one) => ({ ...one, sub: subOf(one.email) })))
  const keep = async (): Promise<void> => {
    if (folder === undefined || file === undefined) return
    await mkdir(folder, { recursive: true })
    await writeFile(`${file}.part`, `${JSON.stringify(people, null, 2)}\n`, { mode: 0o600 })
    await rename(`${file}.part`, file)
  }
  return {
    list: () => people,
    find: (sub) => people.find((one) => one.sub === sub),
    async remember(given) {
      const person = { ...given, sub: subOf(given.email) }
      people = [person, ...people.filter((one) => one.sub !== person.sub)].slice(0, mostPeople)
      await keep()
      return person
    },
  }
}
