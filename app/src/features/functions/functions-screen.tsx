import { useState, type FormEvent } from 'react'
import { Link as RouterLink } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { isFunctionName } from '#listed-functions.ts'
import { useMessages } from '#messages/messages.tsx'
import { useProject } from '#session/session.tsx'
import { usePageParameters } from '#page-address.ts'
import { Button } from '#ui/button.tsx'
import { DocumentTitle } from '#ui/document-title.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Icon } from '#ui/icon.tsx'
import { SearchField } from '#ui/search-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { functionPath } from './address.ts'
import css from './functions.module.css'
import { useHistory } from './history.ts'
import { PastCalls } from './past-calls.tsx'

/** From how many entries on a list is worth searching. */
const searchedFrom = 10

/** `/functions`: those that are listed, and the way to any other. */
export function FunctionsScreen() {
  const { functions: words } = useMessages()
  const { list } = useHistory()
  return (
    <div className={css.page}>
      <DocumentTitle>{words.title}</DocumentTitle>
      <div className={css.narrow}>
        <header className={css.head}>
          <h1 className={css.title} tabIndex={-1}>{words.title}</h1>
          <p className={css.lead}>{words.lead}</p>
        </header>
        <Listed />
        <ByName />
        {list.length > 0 && (
          <section className={css.section} aria-label={words.history}>
            <h2 className={css.heading}>{words.history}</h2>
            <p className={css.muted}>{words.historyLead}</p>
            <PastCalls calls={list} isOfAll />
          </section>
        )}
      </div>
    </div>
  )
}

function Listed() {
  const { functions: words } = useMessages()
  const { functions = [] } = useProject()
  const [parameters, change] = usePageParameters()
  const search = parameters.get('q') ?? ''
  const sought = search.trim().toLowerCase()
  const found = functions.filter(({ name, title = '', description = '' }) => `${name} ${title} ${description}`.toLowerCase().includes(sought))
  if (functions.length === 0) return <EmptyState icon="bolt" title={words.none}>{words.noneHint}</EmptyState>
  return (
    <section className={css.section} aria-label={words.listed}>
      {functions.length >= searchedFrom && <SearchField label={words.search} value={search} onChange={(q) => change({ q })} />}
      {found.length === 0 && <p className={css.muted}>{words.noneFound}</p>}
      <ul className={css.cards}>
        {found.map(({ name, title, description, method }) => (
          <li key={name}>
            <RouterLink href={functionPath(name)} className={css.card}>
              <Icon name="bolt" className={css.cardIcon} />
              <span className={css.cardText}>
                <span className={css.cardTitle}>{title ?? name}</span>
                {title !== undefined && <span className={css.mono}>{name}</span>}
                {description && <span className={css.muted}>{description}</span>}
              </span>
              {method && <span className={css.method}>{method}</span>}
              <Icon name="chevron-right" size={14} className={css.cardIcon} />
            </RouterLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

function ByName() {
  const { functions: words } = useMessages()
  const [name, setName] = useState('')
  const [isWrong, setWrong] = useState(false)
  const open = (event: FormEvent) => {
    event.preventDefault()
    if (isFunctionName(name.trim())) navigate(functionPath(name.trim()))
    else setWrong(true)
  }
  return (
    <section className={css.section} aria-label={words.byName}>
      <h2 className={css.heading}>{words.byName}</h2>
      <p className={css.muted}>{words.byNameLead}</p>
      <form className={css.byName} onSubmit={open}>
        <TextField label={words.name} hint={words.nameHint} error={isWrong && words.nameFault} value={name} onChange={(event) => (setName(event.target.value), setWrong(false))} autoComplete="off" autoCapitalize="none" spellCheck={false} />
        <Button type="submit">{words.open}</Button>
      </form>
    </section>
  )
}
