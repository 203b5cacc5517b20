import { between, attempt, character, either, endOfInput, followedBy, lazily, lookAhead, map, option, refuse, separated, sequence, skipThen, word, type Parser } from './parser.ts'
import { aliasable, field, fieldName, identifierWord, lexeme } from './grammar.ts'
import type { AggregateFunction, EmbedItem, FieldItem, JoinType, SelectItem } from './query.ts'

const itemEnd = either<unknown>(attempt(lookAhead(character(')'))), attempt(lookAhead(character(','))), attempt(endOfInput))

const cast = option(skipThen(word('::'), identifierWord), undefined)

const aggregateName = either<AggregateFunction>(
  ...[word('sum'), word('avg'), word('count'), attempt(word('max')), attempt(word('min'))].map((parser) => parser as Parser<AggregateFunction>),
)
const aggregate = option(
  attempt(map(sequence(character('.'), aggregateName, word('()')), ([, name]) => name)),
  undefined,
)

// exactOptionalPropertyTypes: an absent member, not one that is undefined.
const present = <T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never

const star = map(sequence(word('*'), itemEnd), (): FieldItem => ({ kind: 'field', field: { name: '*', path: [] } }))

const countAll = map(
  sequence(aliasable, word('count()'), cast, itemEnd),
  ([alias, , aggregateCast]): FieldItem => ({ kind: 'field', field: { name: '*', path: [] }, aggregate: 'count', ...present({ alias, aggregateCast }) }),
)

const plainField = map(
  sequence(aliasable, field, cast, aggregate, cast, itemEnd),
  ([alias, found, firstCast, aggregated, secondCast]): FieldItem => ({
    kind: 'field', field: found, ...present({ alias, cast: firstCast, aggregate: aggregated, aggregateCast: secondCast }),
  }),
)

const fieldItem: Parser<SelectItem> = lexeme(either<SelectItem>(attempt(star), attempt(countAll), plainField))

const embedParameter = skipThen(
  character('!'),
  either<{ join?: JoinType; hint?: string }>(
    attempt(map(word('left'), () => ({ join: 'left' }))),
    attempt(map(word('inner'), () => ({ join: 'inner' }))),
    attempt(map(fieldName, (hint) => ({ hint }))),
  ),
)
// Of two hints or two joins the first one holds.
const embedParameters = map(sequence(option(embedParameter, {}), option(embedParameter, {})), ([first, second]) => ({ ...second, ...first }))

const opensBracket = attempt(lookAhead(word('(')))

const embedHead = lexeme(
  followedBy(sequence(aliasable, fieldName), ([alias, name]) =>
    name === 'count'
      ? refuse
      : map(sequence(embedParameters, opensBracket), ([parameters]) => ({ name, spread: false, ...present({ alias }), ...parameters })),
  ),
)

const spreadHead = lexeme(
  map(sequence(skipThen(word('...'), fieldName), embedParameters, opensBracket), ([name, parameters]) => ({ name, spread: true, ...parameters })),
)

const nested = between(character('('), character(')'), lazily(() => selectList))

const embedItem = (head: Parser<Omit<EmbedItem, 'kind' | 'items'>>): Parser<SelectItem> =>
  map(sequence(attempt(head), nested), ([found, items]) => ({ kind: 'embed', ...found, items }))

/** `id,name:title::text,clients!fk!inner(*,...owner(email))` */
export const selectList: Parser<SelectItem[]> = separated(
  either<SelectItem>(embedItem(spreadHead), embedItem(embedHead), fieldItem),
  lexeme(character(',')),
)
