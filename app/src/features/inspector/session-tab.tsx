import { useState } from 'react'
import { explain } from '#api/explain.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { useConnection, useSessionStore, useUser } from '#session/session.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { DateTime } from '#ui/date-time.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { TechnicalDetails } from '#ui/failure.tsx'
import { clockText, otherClaims, readMethods, type TokenFacts } from './claims.ts'
import css from './inspector.module.css'
import { Copyable, Facts, Section } from './section.tsx'
import { useNow } from './use-now.ts'
import { useStored } from './use-facts.ts'

/** Whose session it is, how it was opened, how long it lasts. The token itself is never shown. */
export function SessionTab() {
  const { inspector: { session: words } } = useMessages()
  const stored = useStored()
  if (stored.isPending) return <div className={`${css.inner} ${css.above}`}><Skeleton label={words.you} lines={6} /></div>
  const token = stored.data?.token
  if (!token) return <div className={`${css.inner} ${css.above}`}><Banner tone="warning">{words.unreadable}</Banner></div>
  return (
    <div className={css.inner}>
      <Who token={token} />
      <Proof token={token} />
      <Life token={token} />
      <TokenForm token={token} />
      <Others token={token} />
    </div>
  )
}

const text = (value: unknown): string => (typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : '')

function Who({ token: { claims } }: { token: TokenFacts }) {
  const { inspector: { session: words } } = useMessages()
  const role = text(claims['role'])
  const roles: Readonly<Record<string, string>> = words.roles
  return (
    <Section heading={words.you} lead={words.youLead}>
      <Facts
        facts={[
          [words.email, text(claims['email'])],
          [words.phone, text(claims['phone'])],
          claims['is_anonymous'] === true && [words.guest, words.guestYes],
          [words.role, Object.hasOwn(roles, role) ? roles[role] : words.roleOther(role)],
          [words.userId, <Copyable key="id" value={text(claims['sub'])} label={words.userId} />],
        ]}
      />
    </Section>
  )
}

function Proof({ token: { claims } }: { token: TokenFacts }) {
  const { inspector: { session: words } } = useMessages()
  const { factors } = useUser()
  const level = text(claims['aal'])
  const levels: Readonly<Record<string, string>> = words.levels
  const hasSecond = factors?.some(({ status }) => status === 'verified') ?? false
  return (
    <Section heading={words.trust} lead={words.trustLead}>
      <Facts
        facts={[
          [words.level, <>{levels[level] ?? level}{level !== 'aal2' && <span className={css.note}> · {hasSecond ? words.levelCouldRise : words.noSecondFactor}</span>}</>],
          [words.methods, readMethods(claims['amr']).map(({ name, at }, index) => (
            <div key={index}>{words.methodNames[name] ?? name}{at !== null && <span className={css.note}> · <DateTime value={new Date(at)} /></span>}</div>
          ))],
        ]}
      />
    </Section>
  )
}

function Life({ token }: { token: TokenFacts }) {
  const { inspector: { session: words } } = useMessages()
  const now = useNow()
  const left = (token.expiresAt ?? now) - now
  const whole = (token.expiresAt ?? 0) - (token.issuedAt ?? 0)
  return (
    <Section heading={words.life} lead={words.lifeLead}>
      <Facts
        facts={[
          [words.sessionId, <Copyable key="id" value={text(token.claims['session_id'])} label={words.sessionId} />],
          token.issuedAt !== null && [words.issued, <DateTime key="at" value={new Date(token.issuedAt)} show="exact" />],
          token.expiresAt !== null && [words.expires, <><DateTime value={new Date(token.expiresAt)} show="exact" /> <span className={css.note}>· {left > 0 ? words.left(clockText(left)) : words.over}</span></>],
        ]}
      />
      {whole > 0 && <div className={css.bar} aria-hidden><div className={css.fill} data-tone={left < 60_000 ? 'warning' : undefined} style={{ width: `${Math.max(0, Math.min(100, (left / whole) * 100))}%` }} /></div>}
      {token.issuedAt !== null && token.issuedAt - now > 60_000 && <Banner tone="warning">{words.clockAhead}</Banner>}
      <Renewal />
    </Section>
  )
}

type Outcome = { step: 'idle' } | { step: 'asking'; what: 'refresh' | 'ask' } | { step: 'done'; text: string } | { step: 'failed'; error: unknown }

function Renewal() {
  const { inspector: { session: words }, errors } = useMessages()
  const { client } = useConnection()
  const store = useSessionStore()
  const stored = useStored()
  const format = useFormat()
  const [outcome, setOutcome] = useState<Outcome>({ step: 'idle' })
  const run = async (what: 'refresh' | 'ask') => {
    setOutcome({ step: 'asking', what })
    const { data, error } = what === 'refresh' ? await client.auth.refreshSession() : await client.auth.getUser()
    // What the server says of the session is the session's own matter too: a refused one ends where it always does.
    await store.settle()
    void stored.refetch()
    if (error) return setOutcome({ step: 'failed', error })
    const expiresAt = 'session' in data ? (data.session?.expires_at ?? 0) * 1000 : 0
    setOutcome({ step: 'done', text: what === 'refresh' ? words.refreshed(format.dateTime(new Date(expiresAt), { timeStyle: 'medium' })) : words.stands })
  }
  const failure = outcome.step === 'failed' ? explain(outcome.error, errors) : undefined
  const isAsking = (what: 'refresh' | 'ask') => outcome.step === 'asking' && outcome.what === what
  return (
    <>
      <div className={css.actions}>
        <Button icon="refresh" pending={isAsking('refresh')} onClick={() => void run('refresh')}>{words.refresh}</Button>
        <Button icon="server" pending={isAsking('ask')} onClick={() => void run('ask')}>{words.ask}</Button>
      </div>
      {outcome.step === 'done' && <Banner tone="success">{outcome.text}</Banner>}
      {failure && <Banner tone="danger" title={failure.title}>{failure.whatToDo}<TechnicalDetails text={failure.technical} /></Banner>}
    </>
  )
}

function TokenForm({ token: { algorithm, keyId, length, claims } }: { token: TokenFacts }) {
  const { inspector: { session: words } } = useMessages()
  return (
    <Section heading={words.token} lead={words.tokenLead}>
      <Facts
        facts={[
          [words.algorithm, algorithm.startsWith('HS') ? words.symmetric(algorithm) : words.asymmetric(algorithm)],
          [words.keyId, keyId && <span key="id" className={css.mono}>{keyId}</span>],
          [words.length, words.characters(length)],
          [words.issuer, text(claims['iss'])],
          [words.audience, text(claims['aud'])],
        ]}
      />
    </Section>
  )
}

function Others({ token: { claims } }: { token: TokenFacts }) {
  const { inspector: { session: words } } = useMessages()
  const others = otherClaims(claims)
  return (
    <Section heading={words.metadata} lead={words.metadataLead}>
      {others.length === 0
        ? <p className={css.muted}>{words.nothingElse}</p>
        : <pre className={css.json} dir="ltr" tabIndex={0} aria-label={words.asJson} role="region">{JSON.stringify(Object.fromEntries(others), null, 2)}</pre>}
    </Section>
  )
}
