import { Pause, Play } from 'lucide-react'
import { useRef, useState } from 'react'
import { filesPath } from '#features/files/address.ts'
import { useFailureWords } from '#features/files/files-failure.tsx'
import { KindIcon } from '#features/files/list/kind-icon.tsx'
import { folderOf, freeName, joinPath, nameOf, plainName } from '#features/files/names/object-name.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { addIcons } from '#ui/icon.tsx'
import { Link } from '#ui/link.tsx'
import type { Upload } from './upload.ts'
import type { UploadList } from './upload-list.ts'
import css from './upload-tray.module.css'

addIcons({ pause: Pause, play: Play })

/** One upload: what it is, how far it is, and what can be done with it. */
export function UploadLine({ upload, list }: { upload: Upload; list: UploadList }) {
  const { files: words } = useMessages()
  const name = nameOf(upload.path)
  const { step } = upload.state
  const isMoving = step === 'sending' || step === 'held' || step === 'paused' || step === 'lost'
  return (
    <li className={css.line}>
      <KindIcon entry={{ kind: 'file', name }} className={css.icon} />
      <div className={css.body}>
        <Link href={filesPath(upload.bucket, { folder: folderOf(upload.path) })} variant="plain" className={css.name} title={`${upload.bucket}/${upload.path}`}>{name}</Link>
        {isMoving && <progress className={css.progress} value={upload.sentBytes} max={Math.max(1, upload.sizeBytes)} aria-label={words.progressOf(name)} />}
        <State upload={upload} />
        {plainName(upload.givenName) !== upload.givenName && <p className={css.state}>{words.plainerName(upload.givenName)}</p>}
        {step === 'lost' && <ChooseAgain upload={upload} list={list} />}
        {step === 'failed' && <FailedWays upload={upload} list={list} />}
      </div>
      <div className={css.buttons}>
        {(step === 'sending' || step === 'waiting' || step === 'held') && <IconButton icon="pause" size="small" label={words.pause(name)} onClick={() => list.pause(upload.id)} />}
        {step === 'paused' && <IconButton icon="play" size="small" label={words.resume(name)} onClick={() => list.resume(upload.id)} />}
        <IconButton icon={step === 'done' ? 'check' : 'close'} size="small" label={step === 'done' ? words.takeAway(name) : words.cancelUpload(name)} onClick={() => list.cancel(upload.id)} />
      </div>
    </li>
  )
}

function State({ upload }: { upload: Upload }) {
  const { files: words, errors } = useMessages()
  const format = useFormat()
  const wordsOf = useFailureWords()
  const { state, sentBytes, sizeBytes } = upload
  const soFar = words.sentOf(format.bytes(sentBytes), format.bytes(sizeBytes))
  switch (state.step) {
    case 'waiting': return <p className={css.state}>{words.waits}</p>
    case 'sending': return <p className={css.state}>{[soFar, state.bytesPerSecond > 0 ? `${format.bytes(state.bytesPerSecond)}/s` : '', timeLeft(upload, state.bytesPerSecond, words.timeLeft)].filter((part) => part !== '').join(' · ')}</p>
    case 'held': return <p className={classNames(css.state, css.held)}>{words.held[state.reason]}</p>
    case 'paused': return <p className={css.state}>{words.paused} · {soFar}</p>
    case 'lost': return <p className={classNames(css.state, css.held)}>{errors.sentences(words.lost, soFar)}</p>
    case 'failed': return <p className={classNames(css.state, css.bad)}>{errors.sentences(wordsOf(state.error).title, wordsOf(state.error).whatToDo)}</p>
    case 'done': return <p className={css.state}>{words.stored} · {format.bytes(sizeBytes)}</p>
  }
}

function timeLeft({ sentBytes, sizeBytes }: Upload, bytesPerSecond: number, say: (seconds: number) => string): string {
  return bytesPerSecond > 0 ? say(Math.ceil((sizeBytes - sentBytes) / bytesPerSecond)) : ''
}

/** The browser forgets files with the page: the person shows it once more, and what was sent need not be sent again. */
function ChooseAgain({ upload, list }: { upload: Upload; list: UploadList }) {
  const { files: words } = useMessages()
  const field = useRef<HTMLInputElement>(null)
  const [isOther, setOther] = useState(false)
  return (
    <>
      {isOther && <p role="alert" className={classNames(css.state, css.bad)}>{words.otherFile(upload.givenName)}</p>}
      <input
        ref={field}
        type="file"
        hidden
        aria-label={words.chooseAgain}
        onChange={({ currentTarget }) => {
          const file = currentTarget.files?.[0]
          if (file) setOther(!list.giveFile(upload.id, file))
          currentTarget.value = ''
        }}
      />
      <Button className={css.way} onClick={() => field.current?.click()}>{words.chooseAgain}</Button>
    </>
  )
}

/** A name taken in the meantime is asked about here; anything else is tried again. */
function FailedWays({ upload, list }: { upload: Upload; list: UploadList }) {
  const { files: words, ui } = useMessages()
  if (upload.state.step !== 'failed') return null
  const { kind } = upload.state.error
  const beside = joinPath(folderOf(upload.path), freeName(nameOf(upload.path), (name) => name === nameOf(upload.path)))
  if (kind === 'conflict') {
    return (
      <span className={css.ways}>
        <Button className={css.way} onClick={() => list.retryAs(upload.id, { isReplacing: true, path: upload.path })}>{words.replace}</Button>
        <Button className={css.way} onClick={() => list.retryAs(upload.id, { isReplacing: false, path: beside })}>{words.keepBoth}</Button>
      </span>
    )
  }
  // The same file would be refused again.
  return kind === 'invalid' ? null : <Button className={css.way} onClick={() => list.resume(upload.id)}>{ui.retry}</Button>
}
