import type { Relationship } from '#services/rest/schema-cache/relationship.ts'
import type { ReadPlan, ResolvedLogic } from './read-plan.ts'

function joinColumns(relationship: Relationship | undefined): string[] {
  if (!relationship || relationship.kind === 'computed') return []
  const { cardinality } = relationship
  const pairs = cardinality.kind === 'many-to-many' ? cardinality.junction.source : cardinality.columns
  return pairs.map(([own]) => own)
}

/** The columns a write or a call must hand on so that what is selected, embedded and located can be read from it. `*` stands for all. */
export function returnedColumns({ select, children }: ReadPlan, primaryKey: readonly string[]): string[] {
  const names = select.map(({ field }) => field.name)
  // A computed relationship's function takes the whole row.
  if (names.includes('*') || children.some(({ relationship }) => relationship?.kind === 'computed')) return ['*']
  return [...new Set([...names, ...children.flatMap(({ relationship }) => joinColumns(relationship)), ...primaryKey])].sort()
}

function logicColumns(logic: ResolvedLogic): string[] {
  switch (logic.kind) {
    case 'group':
      return logic.members.flatMap(logicColumns)
    case 'embed':
      return [logic.embed]
    case 'filter':
      return [logic.field.name]
  }
}

export const filteredColumns = (plan: ReadPlan): string[] => [...plan.where.flatMap(logicColumns), ...plan.children.flatMap(filteredColumns)]
