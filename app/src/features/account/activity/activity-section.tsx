import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import css from '#features/account/account.module.css'
import { Section } from '#features/account/account-frame.tsx'
import { activityLimit, activityQuery, useAccountSource, type Happening } from '#features/account/queries.ts'
import { Remote } from '#features/account/remote.tsx'
import { useMessages } from '#messages/messages.tsx'
import { providerName } from '#session/provider-names.ts'
import { Button } from '#ui/button.tsx'
import { DateTime } from '#ui/date-time.tsx'
import { Select } from '#ui/select.tsx'
import { kindOf, kinds, type Kind } from './kinds.ts'

const stepRows = 10
/** Ways to sign in that are no provider to name. */
const ownWays = new Set(['', 'email', 'phone'])

/** What happened to the account of late, in words. */
export function ActivitySection() {
  const { access: words } = useMessages()
  const query = useQuery(activityQuery(useAccountSource()))
  return (
    <Section heading={words.activity.heading} lead={words.activity.lead}>
      <Remote query={query} loading={words.activity.loading} failed={words.activity.failed}>
        {(happenings) => <Happenings happenings={happenings} />}
      </Remote>
    </Section>
  )
}

function Happenings({ happenings }: { happenings: readonly Happening[] }) {
  const { access: { activity: words }, errors } = useMessages()
  const [shown, setShown] = useState(stepRows)
  const [kind, setKind] = useState<Kind>('all')
  const wanted = kind === 'all' ? happenings : happenings.filter(({ action }) => kindOf(action) === kind)
  if (happenings.length === 0) {
    return (
      <p className={css.note}>
        {errors.sentences(words.none, words.noneHint)}
      </p>
    )
  }
  return (
    <>
      <Select
        label={words.show}
        value={kind}
        onChange={(event) => {
          setKind(event.target.value as Kind)
          setShown(stepRows)
        }}
      >
        {kinds.map((name) => (
          <option key={name} value={name}>
            {words.kinds[name]}
          </option>
        ))}
      </Select>
      {wanted.length === 0 && <p className={css.note}>{words.noneOfKind}</p>}
      <ol className={css.rows}>
        {wanted.slice(0, shown).map((happening, index) => (
          <HappeningRow key={`${happening.at} ${index}`} happening={happening} />
        ))}
      </ol>
      {shown >= wanted.length && happenings.length >= activityLimit && <p className={css.note}>{words.bounded}</p>}
      {wanted.length > shown && (
        <div className={css.actions}>
          <Button onClick={() => setShown(shown * 2)}>{words.more}</Button>
        </div>
      )}
    </>
  )
}

function HappeningRow({ happening: { at, action, provider, ip } }: { happening: Happening }) {
  const { activity: words, sessions } = useMessages().access
  // What a newer server notes is shown by its own word rather than not at all.
  const known = Object.hasOwn(words.actions, action) ? words.actions[action] : undefined
  const text = known ?? action.replaceAll('_', ' ')
  return (
    <li className={css.line}>
      <span className={css.lineText}>{ownWays.has(provider) ? text : words.with(text, providerName(provider))}</span>
      <span className={css.lineDetail}>
        {ip !== '' && <span>{sessions.address(ip)}</span>}
        <DateTime value={at} />
      </span>
    </li>
  )
}
