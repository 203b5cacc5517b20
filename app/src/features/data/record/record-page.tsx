import { navigate } from 'wouter/use-browser-location'
import type { Description } from '#features/data/description/description.ts'
import type { Relation } from '#features/data/description/relations.ts'
import { dataPath } from '#features/data/rows/address.ts'
import css from './record.module.css'
import { viewSearch } from './record-panel.tsx'
import { RecordView } from './record-view.tsx'

/** A record as a page of its own. */
export function RecordPage({ description, relation, recordKey }: { description: Description; relation: Relation; recordKey: readonly string[] }) {
  const leave = () => navigate(`${dataPath(relation.schema, relation.name)}${viewSearch()}`)
  return (
    <div className={css.page}>
      <RecordView
        key={recordKey.join('\n')}
        {...{ description, relation, recordKey }}
        place="page"
        onClose={leave}
        onLeave={leave}
      />
    </div>
  )
}
