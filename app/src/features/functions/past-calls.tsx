import { Link as RouterLink } from 'wouter'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { functionPath } from './address.ts'
import css from './functions.module.css'
import type { PastCall } from './history.ts'

/** Calls made while this page is open; pressing one fills its request in again. */
export function PastCalls({ calls, isOfAll, onUse }: { calls: readonly PastCall[]; isOfAll?: boolean; onUse?: (call: PastCall) => void }) {
  return (
    <ul className={css.past}>
      {calls.map((call) => (
        <li key={call.id}>{onUse ? <Again call={call} onUse={onUse} /> : <RouterLink href={functionPath(call.functionName)} className={css.pastCall}><Facts call={call} isOfAll={isOfAll} /></RouterLink>}</li>
      ))}
    </ul>
  )
}

function Again({ call, onUse }: { call: PastCall; onUse: (call: PastCall) => void }) {
  const { functions: words } = useMessages()
  const format = useFormat()
  const time = format.dateTime(new Date(call.at), { timeStyle: 'medium' })
  return (
    <button type="button" className={css.pastCall} title={words.fillAgain(call.request.method, time)} onClick={() => onUse(call)}>
      <Facts call={call} />
    </button>
  )
}

function Facts({ call, isOfAll }: { call: PastCall; isOfAll?: boolean | undefined }) {
  const format = useFormat()
  const { status, request, functionName, totalMs, sizeBytes, at } = call
  return (
    <>
      <span className={css.pastStatus} data-failed={status === 0 || status >= 400 || undefined}>{status || '–'}</span>
      <span className={css.method}>{request.method}</span>
      <span className={css.pastPath}>{isOfAll ? functionName : ''}{request.path}</span>
      <span className={css.faint}>{format.number(totalMs)} ms · {format.bytes(sizeBytes)}</span>
      <span className={css.faint}>{format.dateTime(new Date(at), { dateStyle: undefined, timeStyle: 'medium' })}</span>
    </>
  )
}
