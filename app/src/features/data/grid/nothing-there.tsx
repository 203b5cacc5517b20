import { dataPath } from '#features/data/rows/address.ts'
import { emptyView } from '#features/data/view/view-state.ts'
import { relationLabel, useWords } from '#features/data/words.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import type { RelationView } from './relation-screen.tsx'

/** No rows: says whether the filter, the policies or the table itself is the reason, and what to do. */
export function NothingThere({ shared }: { shared: RelationView }) {
  const words = useWords()
  const { relation, view, setView } = shared
  const label = relationLabel(relation)
  if (view.filter.length > 0 || view.search !== '') {
    return (
      <EmptyState icon="filter" title={words.noneMatch} action={<Button onClick={() => setView({ ...emptyView, sort: view.sort })}>{words.clearFilter}</Button>}>
        {words.noneMatchHint}
      </EmptyState>
    )
  }
  const isGuarded = relation.rls?.active === true || relation.kind !== 'table'
  return (
    <EmptyState
      icon="inbox"
      title={words.nothingYet(label)}
      action={relation.can.insert ? <ButtonLink variant="primary" icon="plus" href={dataPath(relation.schema, relation.name, 'new')}>{words.newRecord}</ButtonLink> : undefined}
    >
      {isGuarded ? words.nothingYetOrPolicies : words.nothingYetHint}
    </EmptyState>
  )
}
