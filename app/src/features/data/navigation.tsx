import { useState } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { listGroups, type Relation, type SchemaGroup } from '#features/data/description/relations.ts'
import { humanise } from '#features/data/description/humanise.ts'
import { callPath, dataPath, readDataPath } from '#features/data/rows/address.ts'
import { useKnowledge } from '#features/data/use-knowledge.ts'
import { relationLabel, useWords } from '#features/data/words.ts'
import { Icon, type IconName } from '#ui/icon.tsx'
import { NavLink } from '#ui/nav-link.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import css from './navigation.module.css'

/** From how many entries on a list is worth searching. */
const searchedFrom = 15

/** Tables, views and functions of the project, for the sidebar. `onNavigate` closes the sheet it may stand in. */
export function DataNavigation({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const words = useWords()
  const knowledge = useKnowledge()
  const [search, setSearch] = useState('')

  if (knowledge.isPending) return <Skeleton label={words.loadingTables} lines={5} />
  // The place the failure belongs to is the page; here the way back to it is enough.
  if (knowledge.isError) return <NavigationLink href="/data" icon="danger" label={words.tablesFailed} onNavigate={onNavigate} />

  const groups = listGroups(knowledge.data.description)
  const size = groups.reduce((sum, { tables, views, functions }) => sum + tables.length + views.length + functions.length, 0)
  const found = groups.map((group) => matching(group, search)).filter(({ tables, views, functions }) => tables.length + views.length + functions.length > 0)
  return (
    <div className={css.navigation}>
      {size >= searchedFrom && <SearchField label={words.findTable} value={search} onChange={setSearch} />}
      {found.map((group) => (
        <Schema key={group.name} group={group} named={groups.length > 1} onNavigate={onNavigate} />
      ))}
      {size === 0 && <NavigationLink href="/data" icon="table" label={words.noTables} onNavigate={onNavigate} />}
      {size > 0 && found.length === 0 && <p className={css.nothing}>{words.noneFound}</p>}
    </div>
  )
}

function matching(group: SchemaGroup, search: string): SchemaGroup {
  const sought = search.trim().toLowerCase()
  const fits = ({ name }: { name: string }) => sought === '' || name.toLowerCase().includes(sought) || humanise(name).toLowerCase().includes(sought)
  return { ...group, tables: group.tables.filter(fits), views: group.views.filter(fits), functions: group.functions.filter(fits) }
}

function Schema({ group, named, onNavigate }: { group: SchemaGroup; named: boolean; onNavigate: (() => void) | undefined }) {
  const words = useWords()
  const prefix = (label: string) => (named ? `${group.name} · ${label}` : label)
  const relations = (list: readonly Relation[], icon: IconName) => list.map((relation) => (
    <li key={relation.name}>
      <NavigationLink href={dataPath(group.name, relation.name)} icon={icon} label={relationLabel(relation)} title={relation.comment} onNavigate={onNavigate} />
    </li>
  ))
  return (
    <>
      <Fold label={prefix(words.tables)} size={group.tables.length}>{relations(group.tables, 'table')}</Fold>
      <Fold label={prefix(words.views)} size={group.views.length}>{relations(group.views, 'eye')}</Fold>
      <Fold label={prefix(words.functions)} size={group.functions.length}>
        {group.functions.map((described, index) => (
          <li key={`${described.name} ${index}`}>
            <NavigationLink href={callPath(group.name, described.name)} icon="function" label={relationLabel(described)} title={described.comment} onNavigate={onNavigate} />
          </li>
        ))}
      </Fold>
    </>
  )
}

function Fold({ label, size, children }: { label: string; size: number; children: React.ReactNode }) {
  const [open, setOpen] = useState(true)
  if (size === 0) return null
  return (
    <section>
      <button type="button" className={css.heading} aria-expanded={open} onClick={() => setOpen(!open)}>
        {label}
        <Icon name={open ? 'chevron-down' : 'chevron-right'} size={12} className={css.fold} />
      </button>
      {open && <ul className={css.list}>{children}</ul>}
    </section>
  )
}

function NavigationLink({ href, icon, label, title, onNavigate }: { href: string; icon: IconName; label: string; title?: string | undefined; onNavigate: (() => void) | undefined }) {
  const pathname = usePathname()
  const current = pathname === href || (href !== '/data' && samePlace(pathname, href))
  return <NavLink href={href} icon={icon} label={label} title={title} current={current} onNavigate={onNavigate} />
}

// A record lies inside its table.
function samePlace(pathname: string, href: string): boolean {
  const [here, there] = [readDataPath(pathname), readDataPath(href)]
  return pathname.startsWith('/data/') && href.startsWith('/data/') && here.schema === there.schema && here.relation === there.relation
}
