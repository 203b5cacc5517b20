import { attempt, between, character, either, labelled, lazily, map, separated1, sequence, succeed, word, type Parser } from './parser.ts'
import { delimiter, fieldName, lexeme, logicFilter } from './grammar.ts'
import type { EmbedPath, Logic } from './query.ts'

const negation = labelled(
  either(map(attempt(sequence(word('not'), delimiter)), () => true), succeed(false)),
  'negation operator (not)',
)
const operator = labelled(
  either<'and' | 'or'>(map(attempt(word('and')), () => 'and'), map(word('or'), () => 'or')),
  'logic operator (and, or)',
)
const members = between(lexeme(character('(')), lexeme(character(')')), separated1(lazily(() => logicTree), lexeme(character(','))))

/** `and(id.gt.1,not.or(a.eq.1,b.is.null))` */
export const logicTree: Parser<Logic> = either<Logic>(
  map(attempt(logicFilter), (filter) => ({ kind: 'filter', filter })),
  map(sequence(negation, operator, members), ([negated, found, list]) => ({ kind: 'group', negated, operator: found, members: list })),
)

/** The key of `clients.not.or=(…)`: whom the tree filters, and the operator to put before its brackets. */
export const logicPath: Parser<{ path: EmbedPath; operator: string }> = map(separated1(fieldName, delimiter), (names) => {
  const last = names.at(-1)!
  return { path: names.slice(0, -1).filter((name) => name !== 'not'), operator: names.includes('not') ? `not.${last}` : last }
})
