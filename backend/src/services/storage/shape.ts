import { requestInvalid } from './errors.ts'

/**
 * Reads JSON and queries as the hosted API's schema checker does: the same conversions, the same words for what does not fit.
 *
 * @see https://ajv.js.org/coercion.html
 */
export type Reader<T> = (value: unknown, place: string) => T

const fail = (place: string, message: string): never => {
  throw requestInvalid(`${place} ${message}`)
}

export const text: Reader<string> = (value, place) => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return value === null ? '' : fail(place, 'must be string')
}

export const flag: Reader<boolean> = (value, place) => {
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === 1) return true
  return value === 'false' || value === 0 || value === null ? false : fail(place, 'must be boolean')
}

const numberOf = (value: unknown): number | undefined => {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  if (value === null) return 0
  return typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined
}

interface Bounds {
  min?: number
  max?: number
}

function within(found: number, place: string, { min, max }: Bounds): number {
  if (min !== undefined && found < min) fail(place, `must be >= ${min}`)
  if (max !== undefined && found > max) fail(place, `must be <= ${max}`)
  return found
}

export const integer = (bounds: Bounds = {}): Reader<number> => (value, place) => {
  const found = numberOf(value)
  return found === undefined || !Number.isInteger(found) ? fail(place, 'must be integer') : within(found, place, bounds)
}

export const number = (bounds: Bounds = {}): Reader<number> => (value, place) => {
  const found = numberOf(value)
  return found === undefined || !Number.isFinite(found) ? fail(place, 'must be number') : within(found, place, bounds)
}

export const oneOf = <const T extends string>(...allowed: readonly T[]): Reader<T> => (value, place) =>
  allowed.find((word) => word === value) ?? fail(place, 'must be equal to one of the allowed values')

export const nullable = <T>(read: Reader<T>): Reader<T | null> => (value, place) => (value === null ? null : read(value, place))

export const textList = ({ min = 0, max = Number.POSITIVE_INFINITY }: Bounds = {}): Reader<string[]> => (value, place) => {
  if (!Array.isArray(value)) return fail(place, 'must be array')
  if (value.length < min) fail(place, `must NOT have fewer than ${min} items`)
  if (value.length > max) fail(place, `must NOT have more than ${max} items`)
  return value.map((entry, index) => text(entry, `${place}/${index}`))
}

type Members = Readonly<Record<string, Reader<unknown>>>
type Read<M extends Members, R extends keyof M> = { [Name in R]: ReturnType<M[Name]> } & { [Name in Exclude<keyof M, R>]?: ReturnType<M[Name]> | undefined }

/** An object; what it does not name is dropped. */
export const object = <M extends Members, R extends keyof M & string = never>(members: M, required: readonly R[] = []): Reader<Read<M, R>> => (value, place) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(place, 'must be object')
  for (const name of required) if ((value as Record<string, unknown>)[name] === undefined) fail(place, `must have required property '${name}'`)
  const read = Object.entries(members).flatMap(([name, readMember]) => {
    const member = (value as Record<string, unknown>)[name]
    return member === undefined ? [] : [[name, readMember(member, `${place}/${name}`)]]
  })
  return Object.fromEntries(read) as Read<M, R>
}

/** Reads a query; of a name given twice the last counts. */
export const readQuery = <T>(query: URLSearchParams, read: Reader<T>): T => read(Object.fromEntries(query), 'querystring')
