import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { FilesFailure } from '#features/files/files-failure.tsx'
import { KindIcon } from '#features/files/list/kind-icon.tsx'
import { isDrawable, kindOf } from '#features/files/names/file-kind.ts'
import type { FileSource } from '#features/files/source.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { Skeleton, SkeletonShape } from '#ui/skeleton.tsx'
import { CsvTable } from './csv-table.tsx'
import css from './preview.module.css'
import { documentQuery, shownPdfBytes, textQuery, viewLinkQuery, type FileInfo } from './preview-query.ts'

interface PreviewProps {
  source: FileSource
  bucket: string
  file: FileInfo
}

/** What a file looks like, as far as a browser can show it without running anything of it. */
export function Preview(props: PreviewProps) {
  const { file } = props
  const kind = kindOf(file)
  if (file.sizeBytes === 0) return <Unseen {...props} isEmpty />
  switch (kind) {
    case 'image': return isDrawable(file.type) ? <Picture {...props} /> : <Unseen {...props} />
    case 'video':
    case 'audio': return <Media {...props} kind={kind} />
    case 'pdf': return file.sizeBytes <= shownPdfBytes ? <Pages {...props} /> : <Unseen {...props} />
    case 'table':
    case 'text':
    case 'code': return <Text {...props} kind={kind} />
    default: return <Unseen {...props} />
  }
}

function Unseen({ file, isEmpty }: PreviewProps & { isEmpty?: boolean }) {
  const { files: words } = useMessages()
  return (
    <div className={css.unseen}>
      <KindIcon entry={{ kind: 'file', name: file.name, type: file.type }} size={32} />
      <p>{isEmpty ? words.emptyFile : words.noPreview}</p>
    </div>
  )
}

const Waiting = () => {
  const { files: words } = useMessages()
  return <div className={css.stage}><Skeleton label={words.loading}><SkeletonShape width="100%" height={280} /></Skeleton></div>
}

/** From this size on the server is asked for a smaller picture, where it makes them. */
const reducedFromBytes = 600 * 1024
const reducedWidth = 1500

/** An image as an image: a browser runs no script of an SVG it is shown as one. */
function Picture({ source, bucket, file }: PreviewProps) {
  const { files: words } = useMessages()
  const [isBroken, setBroken] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const isLarge = file.sizeBytes >= reducedFromBytes && !/svg|gif/.test(file.type)
  const reduced = useQuery({ ...viewLinkQuery(source, { bucket, path: file.path, width: reducedWidth }), enabled: isLarge, retry: false })
  // Not every project makes smaller pictures.
  const isReduced = isLarge && !reduced.isError && !isRefused
  const whole = useQuery({ ...viewLinkQuery(source, { bucket, path: file.path }), enabled: !isReduced })
  const link = isReduced ? reduced : whole
  if (isBroken) return <div className={css.unseen}><p>{words.brokenImage}</p></div>
  if (link.isPending) return <Waiting />
  if (link.isError) return <FilesFailure error={link.error} onRetry={() => void link.refetch()} layout="line" />
  return (
    <div className={css.stage}>
      <img className={css.picture} src={link.data} alt={file.name} decoding="async" onError={() => (isReduced ? setRefused(true) : setBroken(true))} />
    </div>
  )
}

function Media({ source, bucket, file, kind }: PreviewProps & { kind: 'video' | 'audio' }) {
  const { files: words } = useMessages()
  const [isBroken, setBroken] = useState(false)
  const link = useQuery(viewLinkQuery(source, { bucket, path: file.path }))
  if (isBroken) return <div className={css.unseen}><p>{words.brokenMedia}</p></div>
  if (link.isPending) return <Waiting />
  if (link.isError) return <FilesFailure error={link.error} onRetry={() => void link.refetch()} layout="line" />
  const shared = { src: link.data, controls: true, preload: 'metadata', 'aria-label': file.name, onError: () => setBroken(true) } as const
  return (
    <div className={css.stage}>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- captions are not ours to give */}
      {kind === 'video' ? <video className={css.video} playsInline {...shared} /> : <audio className={css.audio} {...shared} />}
    </div>
  )
}

function Pages({ source, bucket, file }: PreviewProps) {
  const document = useQuery(documentQuery(source, { bucket, path: file.path }))
  const frame = useRef<HTMLIFrameElement>(null)
  const blob = document.data
  useEffect(() => {
    if (!blob || !frame.current) return
    const url = URL.createObjectURL(blob)
    // The page beside the list of pages leaves too little room.
    frame.current.src = `${url}#navpanes=0&view=FitH`
    return () => URL.revokeObjectURL(url)
  }, [blob])
  if (document.isError) return <FilesFailure error={document.error} onRetry={() => void document.refetch()} layout="line" />
  if (!blob) return <Waiting />
  // Chromium refuses its viewer to a sandboxed frame. The blob's type, set by us, is what keeps it from being a page.
  // oxlint-disable-next-line react/iframe-missing-sandbox -- see above
  return <iframe ref={frame} className={css.pages} title={file.name} referrerPolicy="no-referrer" />
}

/** Text of any kind is only ever text here: a page's source, never the page. */
function Text({ source, bucket, file, kind }: PreviewProps & { kind: 'table' | 'text' | 'code' }) {
  const { files: words } = useMessages()
  const format = useFormat()
  const content = useQuery(textQuery(source, { bucket, path: file.path, sizeBytes: file.sizeBytes }))
  if (content.isPending) return <Waiting />
  if (content.isError) return <FilesFailure error={content.error} onRetry={() => void content.refetch()} layout="line" />
  const { text, isWhole } = content.data
  // What holds zero bytes is no text, whatever its name says.
  if (text.includes('\u0000')) return <Unseen source={source} bucket={bucket} file={file} />
  return (
    <figure className={css.text}>
      {kind === 'table' ? <CsvTable text={text} name={file.name} isWhole={isWhole} /> : <pre className={css.source} data-kind={kind} tabIndex={0} aria-label={file.name} data-scrolls>{text}</pre>}
      {!isWhole && <figcaption className={css.part}>{words.onlyBeginning(format.bytes(text.length))}</figcaption>}
    </figure>
  )
}
