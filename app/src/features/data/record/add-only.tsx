import { useState } from 'react'
import type { Description } from '#features/data/description/description.ts'
import type { Relation } from '#features/data/description/relations.ts'
import { relationLabel, useWords } from '#features/data/words.ts'
import { Banner } from '#ui/banner.tsx'
import css from './record.module.css'
import { NewRecord } from './new-record.tsx'

/** A relation the role may add to and not read: the form is all there is. */
export function AddOnly({ description, relation }: { description: Description; relation: Relation }) {
  const words = useWords()
  // A new form after each row that was added.
  const [added, setAdded] = useState(0)
  return (
    <div className={css.page}>
      <div className={css.banner}>
        <Banner tone="info" role="none" title={words.addOnlyTitle(relationLabel(relation))}>{words.addOnlyHint}</Banner>
      </div>
      <NewRecord key={added} {...{ description, relation }} place="page" onClose={() => setAdded(added + 1)} onLeave={() => setAdded(added + 1)} />
    </div>
  )
}
