import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { functionRegions } from '#api/function-call.ts'
import { functionMethods } from '#listed-functions.ts'
import { useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { Select } from '#ui/select.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { TextField } from '#ui/text-field.tsx'
import { BodyEditor } from './body-editor.tsx'
import { PairsEditor } from './pairs-editor.tsx'
import css from './request.module.css'
import { filled, findFault, type CallRequest, type RequestFault } from './request.ts'

export interface RequestFormProps {
  name: string
  request: CallRequest
  file: File | undefined
  isUnderway: boolean
  onChange: (changes: Partial<CallRequest>) => void
  onFile: (file: File | undefined) => void
  onSend: () => void
  onStop: () => void
}

type Part = 'body' | 'query' | 'headers' | 'options'

/** Where a fault is mended. */
const placeOf: Readonly<Record<RequestFault, Part | undefined>> = {
  path: undefined, json: 'body', 'no-file': 'body', 'form-name': 'body', 'header-name': 'headers', 'header-value': 'headers', 'header-forbidden': 'headers',
}

/** The request as one fills it in; Ctrl or ⌘ with Enter sends it from any field. */
export function RequestForm({ name, request, file, isUnderway, onChange, onFile, onSend, onStop }: RequestFormProps) {
  const { functions: words } = useMessages()
  const [fault, setFault] = useState<RequestFault>()
  const [part, setPart] = useState<Part>('body')
  const change = (changes: Partial<CallRequest>) => {
    setFault(undefined)
    onChange(changes)
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    const found = findFault(request, file)
    setFault(found)
    if (found) setPart(placeOf[found] ?? part)
    else onSend()
  }
  const press = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send(event)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a shortcut for what the button does
    <form className={css.form} aria-label={words.request} onSubmit={send} onKeyDown={press} noValidate>
      <div className={css.line}>
        <Select label={words.method} labelHidden value={request.method} onChange={(event) => change({ method: event.target.value })}>
          {functionMethods.map((method) => <option key={method}>{method}</option>)}
        </Select>
        <div className={css.target} dir="ltr">
          <span className={css.targetName} title={name}>/{name}</span>
          <TextField label={words.path} labelHidden placeholder={words.pathPlaceholder} value={request.path} onChange={(event) => change({ path: event.target.value })} aria-invalid={fault === 'path' || undefined} autoComplete="off" autoCapitalize="none" spellCheck={false} dir="ltr" />
        </div>
        {/* Two buttons, never one that changes: a press on Stop would end as a press on what it has become. */}
        {isUnderway ? <Button key="stop" icon="close" onClick={onStop}>{words.stop}</Button> : <Button key="send" type="submit" variant="primary" icon="arrow-right">{words.send}</Button>}
      </div>
      {fault === 'path' && <p className={css.fault} role="alert">{words.faults.path}</p>}
      <Parts {...{ request, file, fault, part }} onPart={setPart} onChange={change} onFile={(next) => (setFault(undefined), onFile(next))} />
    </form>
  )
}

interface PartsProps extends Pick<RequestFormProps, 'request' | 'file' | 'onChange' | 'onFile'> {
  fault: RequestFault | undefined
  part: Part
  onPart: (part: Part) => void
}

const usualHeaders = ['Accept', 'Accept-Language', 'Content-Type', 'Idempotency-Key', 'Prefer', 'X-Request-Id']

function Parts({ request, file, fault, part, onPart, onChange, onFile }: PartsProps) {
  const { functions: words } = useMessages()
  const countOf = (count: number) => (count === 0 ? {} : { count })
  const isHeaderFault = fault !== undefined && placeOf[fault] === 'headers'
  return (
    <Tabs
      label={words.request}
      value={part}
      onChange={(next) => onPart(next as Part)}
      items={[
        { id: 'body', label: words.parts.body, content: <div className={css.panel}><BodyEditor {...{ request, file, fault, onChange, onFile }} /></div> },
        { id: 'query', label: words.parts.query, ...countOf(filled(request.query).length), content: <div className={css.panel}><PairsEditor label={words.parts.query} addLabel={words.addParameter} pairs={request.query} onChange={(query) => onChange({ query })} /></div> },
        {
          id: 'headers',
          label: words.parts.headers,
          ...countOf(filled(request.headers).length),
          content: (
            <div className={css.panel}>
              <PairsEditor label={words.parts.headers} addLabel={words.addHeader} pairs={request.headers} onChange={(headers) => onChange({ headers })} suggestions={usualHeaders} />
              {isHeaderFault && <p className={css.fault} role="alert">{words.faults[fault]}</p>}
              <p className={css.muted}>{words.headersHint}</p>
            </div>
          ),
        },
        { id: 'options', label: words.parts.options, content: <Options request={request} onChange={onChange} /> },
      ]}
    />
  )
}

function Options({ request, onChange }: Pick<RequestFormProps, 'request' | 'onChange'>) {
  const { functions: words } = useMessages()
  return (
    <div className={css.panel}>
      <div className={css.pairs}>
        <Segmented label={words.as} options={[{ value: 'user', label: words.asUser, icon: 'user' }, { value: 'public', label: words.asPublic, icon: 'key' }]} value={request.as} onChange={(as) => onChange({ as })} />
        <p className={css.muted}>{request.as === 'user' ? words.asUserHint : words.asPublicHint}</p>
      </div>
      <Select label={words.region} hint={words.regionHint} value={request.region} onChange={(event) => onChange({ region: event.target.value })}>
        {functionRegions.map((region) => <option key={region} value={region}>{region === 'any' ? words.regionAny : region}</option>)}
      </Select>
    </div>
  )
}
