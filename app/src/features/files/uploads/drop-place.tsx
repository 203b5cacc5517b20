import { useRef, useState, type DragEvent, type ReactNode } from 'react'
import { Icon } from '#ui/icon.tsx'
import css from './drop-place.module.css'
import { readDropped, type ChosenFile } from './dropped-files.ts'

export interface DropPlaceProps {
  folder: string
  /** False where nothing may be uploaded: then nothing can be dropped, and the cursor says so. */
  isOpen: boolean
  label: string
  onFiles: (files: readonly ChosenFile[], folder: string) => void
  children: ReactNode
}

const holdsFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')

/** Takes files and folders dropped anywhere on it; on a folder's row they go into that folder. */
export function DropPlace({ folder, isOpen, label, onFiles, children }: DropPlaceProps) {
  const [isOver, setOver] = useState(false)
  const target = useRef<HTMLElement>(undefined)
  const aim = (row: HTMLElement | undefined) => {
    if (target.current !== row) target.current?.removeAttribute('data-target')
    row?.setAttribute('data-target', '')
    target.current = row
  }
  const over = (event: DragEvent) => {
    if (!holdsFiles(event)) return
    // Otherwise the browser would leave the app and open the file.
    event.preventDefault()
    event.dataTransfer.dropEffect = isOpen ? 'copy' : 'none'
    if (!isOpen) return
    setOver(true)
    aim((event.target as HTMLElement).closest<HTMLElement>('[data-folder]') ?? undefined)
  }
  const leave = (event: DragEvent) => {
    if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return
    setOver(false)
    aim(undefined)
  }
  const drop = (event: DragEvent) => {
    if (!holdsFiles(event)) return
    event.preventDefault()
    const into = target.current?.dataset['folder'] ?? folder
    setOver(false)
    aim(undefined)
    if (isOpen) void readDropped(event.dataTransfer).then((files) => onFiles(files, into))
  }
  return (
    <div className={css.place} data-over={isOver || undefined} onDragEnter={over} onDragOver={over} onDragLeave={leave} onDrop={drop}>
      {children}
      {isOver && (
        <p className={css.sign}>
          <Icon name="upload" size={16} />
          {label}
        </p>
      )}
    </div>
  )
}
