import { useEffect, useId, useRef, useState } from 'react'
import { useMedia } from '#ui/use-media.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { Button, IconButton } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { Icon } from '#ui/icon.tsx'
import { useUploads } from './own-uploads.ts'
import { isFinished, type Upload } from './upload.ts'
import type { UploadList } from './upload-list.ts'
import css from './upload-tray.module.css'
import { UploadLine } from './upload-line.tsx'

/** More lines than this are counted instead of drawn: what moves comes first. */
const drawnAtMost = 60

/** Uploads, wherever in the app one is: how far they are, and the way to pause, continue and stop them. */
export function UploadTray() {
  const { list, uploads } = useUploads()
  const [wantsFolded, setFolded] = useState<boolean>()
  const isNarrow = useMedia('(max-width: 899px)')
  // On a small screen what one came for is the list behind it; what needs an answer is shown all the same.
  const isFolded = wantsFolded ?? (isNarrow && !uploads.some(needsAnswer))
  const { files: words } = useMessages()
  const heading = useId()
  const place = useToastLift(uploads.length > 0)
  if (uploads.length === 0) return null
  const shown = [...uploads].sort((one, other) => rank(one) - rank(other)).slice(0, drawnAtMost)
  return (
    <section ref={place} className={css.tray} aria-labelledby={heading}>
      <header className={css.head}>
        <Summary id={heading} uploads={uploads} />
        <Controls list={list} uploads={uploads} />
        <IconButton icon={isFolded ? 'chevron-up' : 'chevron-down'} size="small" label={isFolded ? words.unfoldTray : words.foldTray} onClick={() => setFolded(!isFolded)} />
      </header>
      <Overall uploads={uploads} />
      {!isFolded && (
        <ul className={css.list} tabIndex={0} aria-labelledby={heading}>
          {shown.map((upload) => <UploadLine key={upload.id} upload={upload} list={list} />)}
          {uploads.length > shown.length && <li className={css.rest}>{words.andMore(uploads.length - shown.length)}</li>}
        </ul>
      )}
    </section>
  )
}

/** Toasts appear above the tray, however tall it is. */
function useToastLift(isShown: boolean) {
  const place = useRef<HTMLElement>(null)
  useEffect(() => {
    const { style } = document.documentElement
    if (!isShown || !place.current) return
    const observer = new ResizeObserver(() => style.setProperty('--toast-lift', `${innerHeight - (place.current?.getBoundingClientRect().top ?? innerHeight) - 8}px`))
    observer.observe(place.current)
    return () => {
      observer.disconnect()
      style.removeProperty('--toast-lift')
    }
  }, [isShown])
  return place
}

const needsAnswer = ({ state }: Upload): boolean => state.step === 'lost' || state.step === 'failed'

const order: Readonly<Record<Upload['state']['step'], number>> = { failed: 0, lost: 1, sending: 2, held: 3, paused: 4, waiting: 5, done: 6 }
const rank = ({ state }: Upload): number => order[state.step]

function Summary({ id, uploads }: { id: string; uploads: readonly Upload[] }) {
  const { files: words } = useMessages()
  const done = uploads.filter(isFinished).length
  const failed = uploads.filter(({ state }) => state.step === 'failed').length
  const open = uploads.length - done - failed
  const lost = uploads.filter(({ state }) => state.step === 'lost').length
  const text = open === 0
    ? failed > 0 ? words.trayFailed(failed) : words.trayDone(done)
    : lost === open ? words.trayLost(lost) : words.trayOpen(done, uploads.length)
  return (
    <h2 id={id} className={css.summary}>
      <Icon name={open === 0 ? (failed > 0 ? 'warning' : 'success') : 'upload'} size={14} className={classNames(css.mark, open === 0 && failed === 0 && css.good)} />
      <span role="status">{text}</span>
    </h2>
  )
}

function Controls({ list, uploads }: { list: UploadList; uploads: readonly Upload[] }) {
  const { files: words, ui } = useMessages()
  const moving = uploads.filter(({ state }) => state.step === 'sending' || state.step === 'waiting').length
  const paused = uploads.filter(({ state }) => state.step === 'paused').length
  const isIdle = uploads.every((upload) => isFinished(upload) || upload.state.step === 'failed')
  if (isIdle) {
    return <IconButton icon="close" size="small" label={ui.close} onClick={() => list.cancelAll()} />
  }
  return (
    <>
      {moving > 1 && <Button variant="quiet" className={css.all} onClick={() => list.pauseAll()}>{words.pauseAll}</Button>}
      {moving === 0 && paused > 1 && <Button variant="quiet" className={css.all} onClick={() => list.resumeAll()}>{words.resumeAll}</Button>}
    </>
  )
}

/** All of it as one line at the head of the tray. */
function Overall({ uploads }: { uploads: readonly Upload[] }) {
  const { files: words } = useMessages()
  const format = useFormat()
  const total = uploads.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const sent = uploads.reduce((sum, upload) => sum + (isFinished(upload) ? upload.sizeBytes : upload.sentBytes), 0)
  if (uploads.every(isFinished)) return null
  const share = total === 0 ? 0 : sent / total
  return (
    <progress className={css.overall} value={share} max={1} aria-label={words.allUploads} aria-valuetext={format.number(share, { style: 'percent' })}>
      {format.number(share, { style: 'percent' })}
    </progress>
  )
}
