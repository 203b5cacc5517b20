import type { CharacterClass } from '#door.ts'

const tests: Readonly<Record<CharacterClass, RegExp>> = { letters: /\p{L}/u, lower: /\p{Ll}/u, upper: /\p{Lu}/u, digits: /\d/, symbols: /[^\p{L}\d\s]/u }

export const hasClass = (password: string, kind: CharacterClass): boolean => tests[kind].test(password)

/** What people choose first, and what those who guess try first. */
const common = /^(?:.*(?:passwor[dt]|passwd|qwert[yz]|asdf|letmein|welcome|admin|iloveyou|hallo|monkey|dragon|abc123|sunshine).*)$/i

/**
 * How hard a password is to guess, from 0 to 4: a light estimate for the eye. The server decides, by its own rules.
 *
 * @param known what others know of the person: their address, the app's name.
 */
export function strengthOf(password: string, known: readonly string[] = []): number {
  if (password === '') return 0
  const kinds = (['lower', 'upper', 'digits', 'symbols'] as const).filter((kind) => hasClass(password, kind)).length
  const alphabet = [10, 26, 40, 60, 90][kinds] ?? 26
  // Repeats and runs (aaaa, 1234) add next to nothing.
  const unlike = [...password].filter((character, index, all) => {
    const step = (character.codePointAt(0) ?? 0) - (all[index - 1]?.codePointAt(0) ?? -10)
    return Math.abs(step) > 1
  }).length
  const parts = known.flatMap((text) => text.toLowerCase().split(/[@.\s_-]+/)).filter((part) => part.length > 3)
  const isGuessable = common.test(password) || parts.some((part) => password.toLowerCase().includes(part))
  const bits = Math.max(unlike, password.length / 4) * Math.log2(alphabet) * (isGuessable ? 0.4 : 1)
  return bits < 28 ? 0 : bits < 40 ? 1 : bits < 55 ? 2 : bits < 75 ? 3 : 4
}
