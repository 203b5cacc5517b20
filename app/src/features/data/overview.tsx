import { lazy, Suspense } from 'react'
import { DataFailure } from '#features/data/data-failure.tsx'
import { listGroups, type Relation, type SchemaGroup } from '#features/data/description/relations.ts'
import type { Knowledge } from '#features/data/description/description-query.ts'
import { callPath, dataPath } from '#features/data/rows/address.ts'
import { useKnowledge } from '#features/data/use-knowledge.ts'
import { relationLabel, useWords } from '#features/data/words.ts'
import { Chip } from '#ui/chip.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Icon, type IconName } from '#ui/icon.tsx'
import { Link } from '#ui/link.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import css from './overview.module.css'

const Unlisted = lazy(async () => ({ default: (await import('./unlisted.tsx')).Unlisted }))

/** Everything the project shows to this person, in one list. */
export function Overview() {
  const words = useWords()
  const knowledge = useKnowledge()
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1 className={css.title} tabIndex={-1}>{words.title}</h1>
        <p className={css.lead}>{words.overviewLead}</p>
      </header>
      {knowledge.isPending ? <Skeleton label={words.loadingTables} lines={8} /> : knowledge.isError ? <DataFailure error={knowledge.error} onRetry={() => void knowledge.refetch()} retrying={knowledge.isFetching} /> : <Known knowledge={knowledge.data} />}
    </div>
  )
}

function Known({ knowledge }: { knowledge: Knowledge }) {
  const words = useWords()
  const groups = listGroups(knowledge.description)
  return (
    <>
      {knowledge.from !== 'function' && <Suspense fallback={<Skeleton label={words.loadingTables} />}><Unlisted from={knowledge.from} /></Suspense>}
      {groups.map((group) => <Group key={group.name} group={group} isNamed={groups.length > 1} />)}
      {groups.length === 0 && knowledge.from === 'function' && <EmptyState icon="table" title={words.nothingShownTitle}>{words.nothingShownHint}</EmptyState>}
    </>
  )
}

function Group({ group, isNamed }: { group: SchemaGroup; isNamed: boolean }) {
  const words = useWords()
  const label = (kind: string) => (isNamed ? `${group.name} · ${kind}` : kind)
  return (
    <>
      <List label={label(words.tables)} size={group.tables.length}>{group.tables.map((relation) => <RelationLine key={relation.name} relation={relation} icon="table" />)}</List>
      <List label={label(words.views)} size={group.views.length}>{group.views.map((relation) => <RelationLine key={relation.name} relation={relation} icon="eye" />)}</List>
      <List label={label(words.functions)} size={group.functions.length}>
        {group.functions.map((described, index) => (
          <Line key={`${described.name} ${index}`} href={callPath(group.name, described.name)} icon="function" name={relationLabel(described)} comment={described.comment} />
        ))}
      </List>
    </>
  )
}

function List({ label, size, children }: { label: string; size: number; children: React.ReactNode }) {
  if (size === 0) return null
  return (
    <section className={css.section}>
      <h2 className={css.label}>{label}</h2>
      <ul className={css.list}>{children}</ul>
    </section>
  )
}

function RelationLine({ relation, icon }: { relation: Relation; icon: IconName }) {
  const words = useWords()
  const { can } = relation
  const note = !can.select ? words.addOnly : can.insert || can.update || can.delete ? undefined : words.readOnly
  return <Line href={dataPath(relation.schema, relation.name)} icon={icon} name={relationLabel(relation)} comment={relation.comment} note={note} />
}

function Line({ href, icon, name, comment, note }: { href: string; icon: IconName; name: string; comment: string | undefined; note?: string | undefined }) {
  return (
    <li>
      <Link href={href} variant="plain" className={css.line}>
        <Icon name={icon} className={css.icon} />
        <span className={css.name}>{name}</span>
        <span className={css.comment}><bdi>{comment}</bdi></span>
        {note && <Chip>{note}</Chip>}
      </Link>
    </li>
  )
}
