import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { explain } from '#api/explain.ts'
import { useSave } from '#features/account/use-save.ts'
import { useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { cutOf, cutPicture, maxZoom, middle, move, settle, type Crop } from './crop.ts'
import css from './photo.module.css'

interface CropDialogProps {
  picture: ImageBitmap
  onSave: (photo: Blob) => Promise<void>
  onClose: () => void
}

const arrows: Readonly<Record<string, { x: number; y: number }>> = { ArrowLeft: { x: -0.05, y: 0 }, ArrowRight: { x: 0.05, y: 0 }, ArrowUp: { x: 0, y: -0.05 }, ArrowDown: { x: 0, y: 0.05 } }

/** A round window over the picture: dragged, or moved by keys, and enlarged by a slider. */
export function CropDialog({ picture, onSave, onClose }: CropDialogProps) {
  const { account, errors, ui } = useMessages()
  const words = account.photo
  const [crop, setCrop] = useState<Crop>(middle)
  const save = useSave(async () => onSave(await cutPicture(picture, crop)))
  const failed = save.state.step === 'failed' ? explain(save.state.error, errors) : null
  return (
    <Dialog
      open
      onClose={onClose}
      size="small"
      title={words.cropTitle}
      lead={words.cropLead}
      footer={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button variant="primary" pending={save.state.step === 'saving'} onClick={() => void save.run()}>
            {words.save}
          </Button>
        </>
      }
    >
      <div className={css.crop}>
        <CropWindow picture={picture} crop={crop} onChange={setCrop} label={words.picture} />
        <label className={css.zoom}>
          {words.zoom}
          <input type="range" min={1} max={maxZoom} step={0.01} value={crop.zoom} onChange={(event) => setCrop(settle({ ...crop, zoom: event.target.valueAsNumber }, picture))} />
        </label>
        {failed && (
          <Banner tone="danger" title={failed.title}>
            {failed.whatToDo}
          </Banner>
        )}
      </div>
    </Dialog>
  )
}

interface CropWindowProps {
  picture: ImageBitmap
  crop: Crop
  onChange: (crop: Crop) => void
  label: string
}

function CropWindow({ picture, crop, onChange, label }: CropWindowProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const held = useRef<{ x: number; y: number } | undefined>(undefined)

  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context) return
    const { width } = context.canvas
    const { x, y, side } = cutOf(crop, picture)
    context.clearRect(0, 0, width, width)
    context.drawImage(picture, x, y, side, side, 0, 0, width, width)
  }, [picture, crop])

  const drag = (event: PointerEvent<HTMLCanvasElement>) => {
    const from = held.current
    if (!from) return
    const { width } = event.currentTarget.getBoundingClientRect()
    held.current = { x: event.clientX, y: event.clientY }
    onChange(move(crop, picture, { x: (from.x - event.clientX) / width, y: (from.y - event.clientY) / width }))
  }
  const step = (event: KeyboardEvent) => {
    const by = arrows[event.key]
    if (!by) return
    event.preventDefault()
    onChange(move(crop, picture, by))
  }
  return (
    // The window is an image that answers to arrow keys; the slider beside it does the rest.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <canvas
      ref={canvas}
      width={560}
      height={560}
      className={css.window}
      role="application"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onKeyDown={step}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        held.current = { x: event.clientX, y: event.clientY }
      }}
      onPointerMove={drag}
      onPointerUp={() => (held.current = undefined)}
      onPointerCancel={() => (held.current = undefined)}
    />
  )
}
