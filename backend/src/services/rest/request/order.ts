import { between, attempt, character, either, endOfInput, lookAhead, map, option, separated1, sequence, skipThen, succeed, thenSkip, word, type Parser } from './parser.ts'
import { delimiter, field, fieldName, lexeme } from './grammar.ts'
import type { Direction, NullsOrder, OrderTerm } from './query.ts'

const termEnd = either<unknown>(attempt(lookAhead(character(','))), attempt(endOfInput))

const after = <T extends string>(name: T): Parser<T> => attempt(skipThen(delimiter, word(name))) as Parser<T>

const direction = option(either<Direction>(after('asc'), after('desc')), undefined)

const nulls = either<NullsOrder | undefined>(
  thenSkip(option(either<NullsOrder>(after('nullsfirst'), after('nullslast')), undefined), termEnd),
  map(sequence(termEnd, succeed(undefined)), () => undefined),
)

const term = (head: Parser<Pick<OrderTerm, 'field' | 'relation'>>): Parser<OrderTerm> =>
  map(sequence(head, direction, nulls), ([found, way, nullsOrder]) => ({
    ...found,
    ...(way === undefined ? {} : { direction: way }),
    ...(nullsOrder === undefined ? {} : { nulls: nullsOrder }),
  }))

const ownTerm = term(map(field, (found) => ({ field: found })))

const relatedTerm = term(
  map(sequence(fieldName, between(character('('), character(')'), field)), ([relation, found]) => ({ relation, field: found })),
)

/** `name.desc.nullslast,clients(name)` */
export const orderList: Parser<OrderTerm[]> = separated1(lexeme(either(attempt(relatedTerm), ownTerm)), character(','))
