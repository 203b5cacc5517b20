import {
  between, anyCharacter, attempt, character, digit, either, endOfInput, labelled, letter, lookAhead, many, many1, map, noneOf, notFollowedBy,
  oneOf, option, separated1, sequence, skipThen, succeed, thenSkip, word, type Parser,
} from './parser.ts'
import { arrayText, patternText } from './operand.ts'
import type { EmbedPath, Field, Filter, IsValue, JsonStep, Operation, QuantifiableOperator, Quantifier, SearchOperator, SimpleOperator } from './query.ts'

/** The words names, paths and filters are made of. @see PostgREST ApiRequest/QueryParams.hs */

const blanks = many(oneOf(' \t'))

export const lexeme = <T>(parser: Parser<T>): Parser<T> => between(blanks, blanks, parser)

const joined = (parser: Parser<string[]>): Parser<string> => map(parser, (characters) => characters.join(''))

export const delimiter = labelled(character('.'), 'delimiter (.)')

export const quotedValue = between(
  character('"'),
  character('"'),
  joined(many(either(noneOf('\\"'), skipThen(character('\\'), anyCharacter)))),
)

export const identifierWord = map(joined(many1(either(letter, digit, oneOf('_ $')))), (name) => name.trim())

// A dash is part of a name unless it begins an arrow.
const dash = attempt(thenSkip(character('-'), notFollowedBy(character('>'))))

const dashed = (parser: Parser<string>): Parser<string> => map(separated1(parser, dash), (parts) => parts.join('-'))

export const fieldName = labelled(either(quotedValue, dashed(identifierWord)), 'field name (* or [a..z0..9_$])')

const jsonKeyWord = map(joined(many1(noneOf('(-:.,>)'))), (key) => key.trim())
const jsonKey = labelled(either(quotedValue, dashed(jsonKeyWord)), 'any non reserved character different from: .,>()')

const indexEnd = either<unknown>(
  attempt(lookAhead(word('->'))),
  attempt(lookAhead(word('::'))),
  attempt(lookAhead(word('.'))),
  attempt(lookAhead(word(','))),
  attempt(endOfInput),
)
const jsonIndex = thenSkip(
  map(sequence(option(character('-'), '+'), many1(digit)), ([sign, digits]) => sign + digits.join('')),
  indexEnd,
)

const arrow = either(
  map(attempt(word('->>')), () => true),
  map(attempt(word('->')), () => false),
)
const operand = either<Omit<JsonStep, 'asText'>>(
  attempt(map(jsonIndex, (index) => ({ index }))),
  attempt(map(jsonKey, (key) => ({ key }))),
)

export const jsonPath: Parser<JsonStep[]> = many(map(sequence(arrow, operand), ([asText, step]) => ({ asText, ...step })))

export const field: Parser<Field> = lexeme(map(sequence(fieldName, option(jsonPath, [])), ([name, path]) => ({ name, path })))

// `a::b` is a cast, `a:b` an alias.
const aliasSeparator = sequence(character(':'), notFollowedBy(character(':')))

export const aliasable = option(attempt(thenSkip(fieldName, aliasSeparator)), undefined)

/** `clients.projects.name->key`: the way to an embedded resource, then a field of it. */
export const treePath: Parser<{ path: EmbedPath; field: Field }> = map(
  sequence(separated1(fieldName, delimiter), option(jsonPath, [])),
  ([names, path]) => ({ path: names.slice(0, -1), field: { name: names.at(-1)!, path } }),
)

export const columnList: Parser<string[]> = separated1(fieldName, lexeme(character(',')))

const wordsAs = <T extends string>(words: readonly T[]): readonly Parser<T>[] => words.map((name) => attempt(word(name)) as Parser<T>)

const simpleOperator = labelled(
  either(...wordsAs<SimpleOperator>(['neq', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'])),
  'unknown single value operator',
)
const quantifiableOperator = labelled(
  either(...wordsAs<QuantifiableOperator>(['eq', 'gte', 'gt', 'lte', 'lt', 'like', 'ilike', 'match', 'imatch'])),
  'unknown single value operator',
)
const searchOperator = either(...wordsAs<SearchOperator>(['fts', 'plfts', 'phfts', 'wfts']))

const quantifier = attempt(
  between(character('('), character(')'), either<Quantifier>(attempt(word('any')) as Parser<Quantifier>, word('all') as Parser<Quantifier>)),
)

const isPattern = (operator: QuantifiableOperator): boolean => operator === 'like' || operator === 'ilike'

const anyCase = (name: string): Parser<string> =>
  map(sequence(...[...name].map((wanted) => either(character(wanted), character(wanted.toUpperCase())))), () => name)

const isValues: readonly IsValue[] = ['null', 'not_null', 'true', 'false', 'unknown']
const isValue = labelled(
  either(...isValues.map((name) => attempt(anyCase(name)) as Parser<IsValue>)),
  'isVal: (null, not_null, true, false, unknown)',
)

const unquoted = joined(many(noneOf(',)')))
const listElement = either(attempt(thenSkip(quotedValue, notFollowedBy(noneOf(',)')))), unquoted)
const listValue = between(lexeme(character('(')), lexeme(character(')')), separated1(listElement, character(',')))

const prefixed = (name: string): Parser<unknown> => attempt(sequence(word(name), delimiter))

const operation = (value: Parser<string>): Parser<Operation> =>
  labelled(
    either<Operation>(
      map(skipThen(prefixed('in'), listValue), (values) => ({ kind: 'in', value: arrayText(values) })),
      map(skipThen(prefixed('is'), isValue), (found) => ({ kind: 'is', value: found })),
      map(skipThen(prefixed('isdistinct'), value), (found) => ({ kind: 'isdistinct', value: found })),
      attempt(
        map(
          sequence(searchOperator, option(attempt(between(character('('), character(')'), identifierWord)), undefined), delimiter, value),
          ([operator, language, , found]) => ({ kind: 'search', operator, value: found, ...(language === undefined ? {} : { language }) }),
        ),
      ),
      attempt(map(sequence(simpleOperator, delimiter, value), ([operator, , found]) => ({ kind: 'simple', operator, value: found }))),
      attempt(
        map(sequence(quantifiableOperator, option(quantifier, undefined), delimiter, value), ([operator, each, , found]) => ({
          kind: 'quantifiable', operator, value: isPattern(operator) ? patternText(found) : found, ...(each === undefined ? {} : { quantifier: each }),
        })),
      ),
    ),
    'operator (eq, gt, ...)',
  )

const negation = either(
  map(attempt(sequence(word('not'), delimiter)), () => true),
  succeed(false),
)

const operatorExpression = (value: Parser<string>): Parser<Omit<Filter, 'field'>> =>
  map(sequence(negation, operation(value)), ([negated, found]) => ({ negated, operation: found }))

/** `not.eq.5` of `?id=not.eq.5`: the value runs to the end. */
export const filterExpression = operatorExpression(joined(many(anyCharacter)))

const arrayLiteral = map(sequence(word('{'), joined(many(noneOf('{}'))), word('}')), (parts) => parts.join(''))

/** `id.eq.5` inside `and=(…)`: the value ends at a comma or bracket unless quoted. */
export const logicFilter: Parser<Filter> = map(
  sequence(
    field,
    delimiter,
    operatorExpression(either(attempt(thenSkip(quotedValue, notFollowedBy(noneOf(',)')))), attempt(arrayLiteral), unquoted)),
  ),
  ([found, , expression]) => ({ field: found, ...expression }),
)
