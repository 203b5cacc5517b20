import { useFormat, useMessages } from '#messages/messages.tsx'
import type { StoredThing } from '#api/stored-facts.ts'
import { Banner } from '#ui/banner.tsx'
import { DateTime } from '#ui/date-time.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { cookieLimitBytes, headerBytes, headerLimitBytes, type CookieFact, type Meaning } from './cookie-facts.ts'
import css from './inspector.module.css'
import { Facts, Section } from './section.tsx'
import { useStored, type Stored } from './use-facts.ts'

/** Cookies, proofs of sign-ins under way, and what else is kept in this browser: names, sizes and ages, no values. */
export function StorageTab() {
  const { inspector: { storage: words } } = useMessages()
  const stored = useStored()
  if (!stored.data) return <div className={`${css.inner} ${css.above}`}><Skeleton label={words.cookies} lines={6} /></div>
  return (
    <div className={css.inner}>
      <Cookies stored={stored.data} />
      <Proofs stored={stored.data} />
      <Kept stored={stored.data} />
    </div>
  )
}

function Cookies({ stored }: { stored: Stored }) {
  const { inspector: { storage: words }, errors } = useMessages()
  const format = useFormat()
  const bytes = headerBytes(stored.cookies)
  const tone = bytes > headerLimitBytes ? 'danger' : bytes > headerLimitBytes * 0.75 ? 'warning' : undefined
  const weightNote = tone === 'danger' ? words.weightOver : tone === 'warning' ? words.weightNear : words.weightGood
  return (
    <Section heading={words.cookies} lead={words.cookiesLead}>
      <State stored={stored} />
      <p className={css.muted}>{errors.sentences(words.weight(format.bytes(bytes)), weightNote)}</p>
      <div className={css.bar} role="img" aria-label={`${format.bytes(bytes)} / ${words.weightLimit}`}>
        <div className={css.fill} data-tone={tone} style={{ width: `${Math.min(100, (bytes / headerLimitBytes) * 100)}%` }} />
      </div>
      {stored.cookies.length === 0 ? <p className={css.muted}>{words.none}</p> : <CookieTable cookies={stored.cookies} />}
      <p className={css.muted}>{errors.sentences(words.count(stored.cookies.length), words.hidden)}</p>
    </Section>
  )
}

function State({ stored: { state, missing } }: { stored: Stored }) {
  const { inspector: { storage: words }, errors } = useMessages()
  const format = useFormat()
  switch (state) {
    case 'sound': return <Banner tone="success" role="none">{words.sound}</Banner>
    case 'mixed': return <Banner tone="warning">{words.mixed}</Banner>
    case 'none': return <Banner tone="info">{words.nothing}</Banner>
    case 'damaged': return <Banner tone="danger">{errors.sentences(words.damaged, missing.length > 0 ? words.gap(format.list(missing)) : '')}</Banner>
  }
}

function CookieTable({ cookies }: { cookies: readonly CookieFact[] }) {
  const { inspector: { storage: words } } = useMessages()
  const format = useFormat()
  return (
    <div className={css.tablePlace} tabIndex={0} role="region" aria-label={words.cookieTable}>
      <table className={css.table}>
        <thead>
          <tr><th scope="col">{words.name}</th><th scope="col">{words.meaning}</th><th scope="col" className={css.number}>{words.size}</th></tr>
        </thead>
        <tbody>
          {cookies.map(({ name, sizeBytes, meaning }) => (
            <tr key={name}>
              <td className={css.mono}>{name}</td>
              <td><MeaningWords meaning={meaning} /></td>
              <td className={css.number} title={words.ofLimit(format.number(sizeBytes / cookieLimitBytes, { style: 'percent' }))}>{format.bytes(sizeBytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function MeaningWords({ meaning }: { meaning: Meaning }) {
  const { inspector: { storage: words } } = useMessages()
  if (meaning.kind === 'chunk') return <>{words.meanings.chunk(meaning.number + 1)}</>
  if (meaning.kind === 'sibling') return <>{words.meanings.sibling}{meaning.projectName && ` (${words.ofProject(meaning.projectName)})`}</>
  return <>{words.meanings[meaning.kind]}</>
}

function Proofs({ stored: { proofs } }: { stored: Stored }) {
  const { inspector: { storage: words } } = useMessages()
  return (
    <Section heading={words.proofs} lead={words.proofsLead}>
      {proofs.length === 0 && <p className={css.muted}>{words.noProofs}</p>}
      <ul className={css.list}>
        {proofs.map(({ flow, at, isOwn }) => (
          <li key={flow} className={css.item}>
            <span className={css.mono}>{words.flow(flow)}</span>
            <span className={css.muted}>{at === null ? words.ageUnknown : <>{words.begun} <DateTime value={new Date(at)} show="relative" /> {isOwn ? words.ownTab : words.otherTab}</>}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Kept({ stored: { local, tab } }: { stored: Stored }) {
  const { inspector: { storage: words } } = useMessages()
  const lists: [string, readonly StoredThing[]][] = [[words.local, local], [words.tab, tab]]
  return (
    <Section heading={words.kept} lead={words.keptLead}>
      {lists.map(([heading, things]) => (
        <div key={heading} className={css.content}>
          <h3 className={css.muted}>{heading}</h3>
          {things.length === 0 ? <p className={css.muted}>{words.noKept}</p> : <Things things={things} />}
        </div>
      ))}
    </Section>
  )
}

function Things({ things }: { things: readonly StoredThing[] }) {
  const format = useFormat()
  return <Facts facts={things.map(({ name, sizeBytes }) => [name, format.bytes(sizeBytes)])} />
}
