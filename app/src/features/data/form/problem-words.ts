import type { Words } from '#features/data/words.ts'
import { columnLabel } from '#features/data/words.ts'
import type { Relation } from '#features/data/description/relations.ts'
import type { Problem } from './validate.ts'
import type { Refusal } from './refusal.ts'

/** What is wrong with a field, and what to do. */
export function problemText(words: Words, relation: Relation, problem: Problem): string {
  const { problems } = words
  switch (problem.problem) {
    case 'too-short': return problems.tooShort(problem.characters)
    case 'too-long': return problems.tooLong(problem.characters)
    case 'too-precise': return problems.tooPrecise(problem.digits)
    case 'out-of-range': return problems.outOfRange(problem.minimum ?? '', problem.maximum ?? '')
    case 'at-least': return problems.atLeast(problem.bound)
    case 'at-most': return problems.atMost(problem.bound)
    case 'more-than': return problems.moreThan(problem.bound)
    case 'less-than': return problems.lessThan(problem.bound)
    case 'not-one-of': return problems.notOneOf(problem.values)
    case 'not-allowed': return problems.notAllowed(problem.value)
    case 'too-few': return problems.tooFew(problem.items)
    case 'too-many': return problems.tooMany(problem.items)
    case 'json-type': return problems.jsonType(problem.type)
    case 'compared': return problems.compared[problem.operator](columnLabel(relation, { name: problem.other }))
    case 'required': return problems.required
    case 'not-a-number': return problems.notANumber
    case 'not-whole': return problems.notWhole
    case 'not-a-uuid': return problems.notAUuid
    case 'not-a-moment': return problems.notAMoment
    case 'not-json': return problems.notJson
    case 'pattern': return problems.pattern
  }
}

/** Why the project refused, at its field or above the buttons. */
export function refusalText(words: Words, { reason, words: own }: Refusal): string {
  return own !== undefined && own !== '' && (reason === 'own-words' || reason === 'unreadable') ? own : words.refusals[reason]
}
