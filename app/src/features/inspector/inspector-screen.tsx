import { useEffect, useRef, useState } from 'react'
import { Link as RouterLink } from 'wouter'
import { useMessages } from '#messages/messages.tsx'
import { usePageParameters } from '#page-address.ts'
import { DocumentTitle } from '#ui/document-title.tsx'
import { CallsTab, firstCallsView, type CallsView } from './calls-tab.tsx'
import { ChannelsTab } from './channels-tab.tsx'
import { EventsTab } from './events-tab.tsx'
import css from './inspector.module.css'
import { ReportTab } from './report-tab.tsx'
import { SessionTab } from './session-tab.tsx'
import { SignedOutTab, type KnownTables } from './signed-out-tab.tsx'
import { StorageTab } from './storage-tab.tsx'

const tabs = ['session', 'storage', 'events', 'calls', 'channels', 'signed-out', 'report'] as const
type Tab = (typeof tabs)[number]

/** `/inspector`: what the session is, what it keeps, what it asks. */
export function InspectorScreen({ tables }: { tables: KnownTables }) {
  const { inspector: words } = useMessages()
  const [parameters] = usePageParameters()
  const [calls, setCalls] = useState(firstCallsView)
  const tab = tabs.find((name) => name === parameters.get('tab')) ?? 'session'
  const places = useRef<HTMLElement>(null)
  // On a phone not all of them are in sight.
  useEffect(() => {
    places.current?.children[tabs.indexOf(tab)]?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [tab])
  return (
    <div className={css.page}>
      <DocumentTitle>{`${words.tabs[tab]} · ${words.title}`}</DocumentTitle>
      <header className={css.head}>
        <h1 className={css.title} tabIndex={-1}>{words.title}</h1>
        <p className={css.lead}>{words.lead}</p>
        <nav ref={places} className={css.tabs} aria-label={words.title}>
          {tabs.map((name) => (
            <RouterLink key={name} href={name === 'session' ? '/inspector' : `/inspector?tab=${name}`} aria-current={name === tab ? 'page' : undefined}>{words.tabs[name]}</RouterLink>
          ))}
        </nav>
      </header>
      <div className={css.body} data-tab={tab} tabIndex={tab === 'calls' ? undefined : 0} role="region" aria-label={words.tabs[tab]}><Content tab={tab} tables={tables} calls={calls} onCalls={setCalls} /></div>
    </div>
  )
}

function Content({ tab, tables, calls, onCalls }: { tab: Tab; tables: KnownTables; calls: CallsView; onCalls: (view: CallsView) => void }) {
  switch (tab) {
    case 'session': return <SessionTab />
    case 'storage': return <StorageTab />
    case 'events': return <EventsTab />
    case 'calls': return <CallsTab view={calls} onView={onCalls} />
    case 'channels': return <ChannelsTab />
    case 'signed-out': return <SignedOutTab known={tables} />
    case 'report': return <ReportTab />
  }
}
