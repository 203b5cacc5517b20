import { useEffect, useMemo, useRef, useState } from 'react'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { EventList } from './event-list.tsx'
import { prettyJson } from './pretty-json.ts'
import css from './reply.module.css'
import { fileNameOf, type ReplyBody, type ReplyHead } from './reply.ts'
import { TextViewer } from './text-viewer.tsx'

export interface ReplyBodyProps {
  head: ReplyHead
  body: ReplyBody
  /** The function's, for the name of a download. */
  name: string
  isWhole: boolean
}

/** A body as what it is: JSON laid out, text, events, a picture, or a file to take along. */
export function ReplyBodyView(props: ReplyBodyProps) {
  const { functions: words } = useMessages()
  const { head, body, isWhole } = props
  if (isWhole && body.sizeBytes === 0) return <p className={css.muted}>{words.emptyBody}</p>
  switch (head.kind) {
    case 'json':
    case 'text': return <TextBody {...props} />
    case 'events': return <><EventList events={body.events} /><Actions {...props} /></>
    case 'image': return <><Picture body={body} /><Actions {...props} /></>
    case 'binary': return <Binary {...props} />
  }
}

function TextBody(props: ReplyBodyProps) {
  const { functions: words } = useMessages()
  const format = useFormat()
  const { head, body, isWhole } = props
  const [layout, setLayout] = useState<'pretty' | 'raw'>('pretty')
  const pretty = useMemo(() => (head.kind === 'json' && isWhole && !body.isCut ? prettyJson(body.text) : undefined), [head.kind, isWhole, body.isCut, body.text])
  const choice = pretty !== undefined && <Segmented label={words.layout} options={[{ value: 'pretty', label: words.pretty }, { value: 'raw', label: words.raw }]} value={layout} onChange={setLayout} />
  return (
    <>
      <TextViewer text={layout === 'pretty' && pretty !== undefined ? pretty : body.text} aside={choice} />
      {isWhole && body.isCut && <p className={css.muted}>{words.cut(format.bytes(body.sizeBytes))}</p>}
      <Actions {...props} />
    </>
  )
}

function Actions({ head, body, name }: ReplyBodyProps) {
  const { functions: words } = useMessages()
  const isText = head.kind !== 'image' && head.kind !== 'binary'
  if (!body.blob) return null
  return (
    <div className={css.actions}>
      {isText && <span><CopyButton value={body.text} label={words.copyBody} /></span>}
      <Button icon="download" onClick={() => download(body.blob, fileNameOf(head, name))}>{words.download}</Button>
    </div>
  )
}

function download(blob: Blob | undefined, fileName: string) {
  if (!blob) return
  // As a page of this origin a reply could run: what is saved has no type a browser would open.
  const address = URL.createObjectURL(new Blob([blob], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

function Picture({ body }: { body: ReplyBody }) {
  const { functions: words } = useMessages()
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    if (!body.blob) return
    const address = URL.createObjectURL(body.blob)
    if (image.current) image.current.src = address
    return () => URL.revokeObjectURL(address)
  }, [body.blob])
  return body.blob ? <img ref={image} className={css.picture} alt={words.picture} /> : null
}

function Binary(props: ReplyBodyProps) {
  const { functions: words } = useMessages()
  const format = useFormat()
  const { head, body } = props
  return <EmptyState icon="file" title={words.binary} action={<Actions {...props} />}>{words.binaryHint(head.contentType, format.bytes(body.sizeBytes))}</EmptyState>
}
