import { useFormat, useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { TextArea } from '#ui/text-area.tsx'
import { PairsEditor } from './pairs-editor.tsx'
import { prettyJson } from './pretty-json.ts'
import css from './request.module.css'
import { bodyKinds, isJson, mayHaveBody, type CallRequest, type RequestFault } from './request.ts'

export interface BodyEditorProps {
  request: CallRequest
  file: File | undefined
  fault: RequestFault | undefined
  onChange: (changes: Partial<CallRequest>) => void
  onFile: (file: File | undefined) => void
}

/** What is sent along. JSON is checked as one types, but only told of as a fault when it is sent. */
export function BodyEditor(props: BodyEditorProps) {
  const { functions: words } = useMessages()
  const { request, onChange } = props
  if (!mayHaveBody(request.method)) return <p className={css.muted}>{words.noBody(request.method)}</p>
  return (
    <div className={css.stack}>
      <Segmented label={words.bodyKind} options={bodyKinds.map((value) => ({ value, label: words.bodyKinds[value] }))} value={request.bodyKind} onChange={(bodyKind) => onChange({ bodyKind })} />
      <Editor {...props} />
    </div>
  )
}

function Editor({ request, file, fault, onChange, onFile }: BodyEditorProps) {
  const { functions: words } = useMessages()
  switch (request.bodyKind) {
    case 'none': return <p className={css.muted}>{words.nothingSent}</p>
    case 'json': return <JsonEditor text={request.text} isRefused={fault === 'json'} onChange={(text) => onChange({ text })} />
    case 'text': return <TextArea label={words.text} labelHidden mono className={css.bodyText} value={request.text} onChange={(event) => onChange({ text: event.target.value })} spellCheck={false} dir="auto" />
    case 'form': return <><PairsEditor label={words.bodyKinds.form} addLabel={words.addField} pairs={request.form} onChange={(form) => onChange({ form })} />{fault === 'form-name' && <p className={css.fault}>{words.faults['form-name']}</p>}</>
    case 'file': return <FileChooser file={file} isMissing={fault === 'no-file'} onFile={onFile} />
  }
}

function JsonEditor({ text, isRefused, onChange }: { text: string; isRefused: boolean; onChange: (text: string) => void }) {
  const { functions: words } = useMessages()
  const isFine = text.trim() !== '' && isJson(text)
  const pretty = isFine ? prettyJson(text) : undefined
  return (
    <>
      <TextArea label={words.json} labelHidden mono className={css.bodyText} value={text} onChange={(event) => onChange(event.target.value)} error={isRefused && !isFine && text.trim() !== '' ? words.faults.json : undefined} hint={isFine ? words.jsonFine : text.trim() === '' ? words.nothingSent : words.faults.json} placeholder="{ }" spellCheck={false} autoCapitalize="none" dir="ltr" />
      {pretty !== undefined && pretty !== text && <div><Button variant="quiet" icon="braces" onClick={() => onChange(pretty)}>{words.tidy}</Button></div>}
    </>
  )
}

function FileChooser({ file, isMissing, onFile }: { file: File | undefined; isMissing: boolean; onFile: (file: File | undefined) => void }) {
  const { functions: words } = useMessages()
  const format = useFormat()
  return (
    <Field label={words.file} error={isMissing && words.faults['no-file']} hint={file && words.fileHint(format.bytes(file.size), file.type || 'application/octet-stream')}>
      {(control) => <input {...control} type="file" className={css.file} onChange={(event) => onFile(event.target.files?.[0])} />}
    </Field>
  )
}
