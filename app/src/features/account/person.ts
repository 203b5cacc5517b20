import type { User } from '#api/client.ts'

/** Where projects keep a person's name; the first that holds one is shown, and written back to. */
const nameKeys = ['full_name', 'name', 'display_name'] as const

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '')

/** The key this person's name stands under; `full_name` for one without. */
export const nameKeyOf = ({ user_metadata: metadata }: Pick<User, 'user_metadata'>): string =>
  nameKeys.find((key) => textOf(metadata?.[key]) !== '') ?? nameKeys[0]

/** The person's name, empty when they have given none. */
export const nameOf = (user: Pick<User, 'user_metadata'>): string => textOf(user.user_metadata?.[nameKeyOf(user)])

/** The address of the person's picture, wherever it lies; empty when they have none. */
export const pictureOf = (user: Pick<User, 'user_metadata'>): string => textOf(user.user_metadata?.['avatar_url'])

/** What the initials of their avatar are made of: their name, their address, or the end of their number. */
export const initialsOf = (user: Pick<User, 'user_metadata' | 'email' | 'phone'>, guest: string): string =>
  nameOf(user) || user.email || (user.phone ?? '').slice(-2).split('').join(' ') || guest
