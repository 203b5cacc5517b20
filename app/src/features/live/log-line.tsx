import { useLocale, useMessages } from '#messages/messages.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Icon } from '#ui/icon.tsx'
import { clockTime } from './clock-time.ts'
import css from './live-screen.module.css'
import { wholeText, type LogEntry } from './log.ts'

/** One entry: when, what kind, its name and content on a line; all of it below once opened. */
export function LogLine({ entry, isOpen, onToggle }: { entry: LogEntry; isOpen: boolean; onToggle: () => void }) {
  const { channels: words } = useMessages()
  const { locale } = useLocale()
  const { at, kind, content, text } = entry
  const head = (
    <>
      <time className={css.time} dateTime={new Date(at).toISOString()}>{clockTime(at, locale)}</time>
      <span className={css.kind} data-kind={kind}>{words.kindNames[kind]}</span>
      <span className={css.entryName}>{useEntryName(entry)}</span>
      <span className={css.preview} dir="ltr">{text}</span>
    </>
  )
  if (content === undefined) return <div className={css.line}>{head}<span /></div>
  return (
    <>
      <button type="button" className={css.line} aria-expanded={isOpen} onClick={onToggle}>
        {head}
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} size={14} className={css.chevron} />
      </button>
      {isOpen && (
        <div className={css.whole}>
          <pre className={css.json} dir="ltr" tabIndex={0}>{wholeText(content)}</pre>
          <CopyButton value={wholeText(content)} compact />
        </div>
      )}
    </>
  )
}

function useEntryName({ kind, name, content }: LogEntry): string {
  const { channels: words } = useMessages()
  switch (kind) {
    case 'joined': return name === 'again' ? words.joinedAgain : words.joinedFirst
    case 'presence': return (name === 'join' ? words.presenceWords.join : words.presenceWords.leave)(Object.keys(content ?? {})[0] ?? '')
    case 'changes': return words.changeWords[name as 'INSERT' | 'UPDATE' | 'DELETE'](String((content as { table?: unknown }).table))
    case 'fault': {
      const faults: Record<string, { title: string }> = words.faults
      return (faults[name] ?? words.faults.unknown).title
    }
    case 'broadcast': case 'sent': case 'system': return name
  }
}
