import { lazy, Suspense, useEffect, useState } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { dataPath } from '#features/data/rows/address.ts'
import { isSearchable } from '#features/data/view/clause.ts'
import { writeGrouping } from '#features/data/board/grouping.ts'
import { relationLabel, useWords } from '#features/data/words.ts'
import { Button, ButtonLink, IconButton } from '#ui/button.tsx'
import { Menu } from '#ui/menu.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { useToast } from '#ui/toaster.tsx'
import { exportRows } from './export-rows.ts'
import type { RelationView } from './relation-screen.tsx'
import css from './relation-screen.module.css'

const ColumnChooser = lazy(async () => ({ default: (await import('./column-chooser.tsx')).ColumnChooser }))

/** Where one is, and what one can do with the rows. */
export function Toolbar({ shared, onFilter, isNarrow }: { shared: RelationView; onFilter: () => void; isNarrow: boolean }) {
  const words = useWords()
  const { relation } = shared
  const label = relationLabel(relation)
  return (
    <header className={css.toolbar}>
      <div className={css.heading}>
        <h1 className={css.name} tabIndex={-1}>{label}</h1>
        {relation.comment && <p className={css.comment} title={relation.comment}><bdi>{relation.comment}</bdi></p>}
        {shared.live?.people}
        {isNarrow && shared.groupings.length > 0 && <span className={css.shownAs}><ShownAs shared={shared} isNarrow /></span>}
      </div>
      <div className={css.tools} role="toolbar" aria-label={words.tools}>
        {isSearchable(relation) && <Search shared={shared} />}
        {!isNarrow && shared.groupings.length > 0 && <ShownAs shared={shared} isNarrow={false} />}
        <Button icon="filter" variant="quiet" onClick={onFilter} aria-label={words.addFilter}>
          {isNarrow ? undefined : words.filter}
        </Button>
        {!isNarrow && !shared.grouping && (
          <Suspense fallback={<Button icon="columns" variant="quiet">{words.columns}</Button>}>
            <ColumnChooser shared={shared} />
          </Suspense>
        )}
        <IconButton icon="refresh" label={words.refresh} onClick={shared.refresh} pending={shared.rows.isRefreshing && shared.rows.state.step === 'ready'} />
        <More shared={shared} />
        {relation.can.insert && (
          <ButtonLink variant="primary" icon="plus" href={`${dataPath(relation.schema, relation.name, 'new')}${location.search}`}>
            {isNarrow ? words.new : words.newRecord}
          </ButtonLink>
        )}
      </div>
    </header>
  )
}

/** Rows below each other, or side by side by what a column holds. */
function ShownAs({ shared: { grouping, groupings }, isNarrow }: { shared: RelationView; isNarrow: boolean }) {
  const words = useWords()
  const show = (as: 'grid' | 'board') => navigate(`${location.pathname}${writeGrouping(location.search, as === 'board' ? groupings[0]?.column.name : undefined)}`)
  const options = [{ value: 'grid' as const, label: words.asGrid, icon: 'rows' as const }, { value: 'board' as const, label: words.asBoard, icon: 'columns' as const }]
  return <Segmented label={words.shownAs} options={options} value={grouping ? 'board' : 'grid'} onChange={show} iconsOnly={isNarrow} />
}

// Typing is followed by a request only where it pauses.
const pauseMs = 250

function Search({ shared: { relation, view, setView } }: { shared: RelationView }) {
  const words = useWords()
  const [text, setText] = useState(view.search)
  const [seen, setSeen] = useState(view.search)
  // The address may change on its own: back, a link, "clear".
  if (seen !== view.search) {
    setSeen(view.search)
    setText(view.search)
  }
  useEffect(() => {
    if (text === view.search) return
    const timer = setTimeout(() => setView({ ...view, search: text }, { replace: true }), pauseMs)
    return () => clearTimeout(timer)
  }, [text, view, setView])
  return <SearchField className={css.search} label={words.searchIn(relationLabel(relation))} placeholder={words.search} value={text} onChange={setText} />
}

function More({ shared }: { shared: RelationView }) {
  const words = useWords()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const { rows, isWhole } = await exportRows(shared)
      toast({ text: isWhole ? words.exported(rows) : words.exportedPart(rows), tone: isWhole ? 'success' : 'warning' })
    } catch {
      toast({ text: words.exportFailed, tone: 'danger' })
    } finally {
      setBusy(false)
    }
  }
  const copyLink = async () => {
    await navigator.clipboard.writeText(location.href)
    toast({ text: words.linkCopied })
  }
  return (
    <Menu
      label={words.more}
      placement="bottom end"
      trigger={<IconButton icon="more" label={words.more} pending={busy} />}
      groups={[{
        items: [
          { id: 'export', icon: 'download', label: words.export, description: words.exportHint, onSelect: () => void save() },
          { id: 'link', icon: 'link', label: words.copyLink, onSelect: () => void copyLink() },
        ],
      }]}
    />
  )
}
