import { useMessages } from '#messages/messages.tsx'
import { Avatar } from '#ui/avatar.tsx'
import { classNames } from '#ui/class-names.ts'
import css from './live.module.css'
import type { Person } from './people.ts'

/** How many faces are drawn; the others are counted. */
const mostFaces = 4

export interface FacesProps {
  people: readonly Person[]
  /** What their being here means: "Also here: Ada and Ben". */
  label: string
  size?: number
  isEditing?: boolean
}

/** A few faces in a row, named together. */
export function Faces({ people, label, size = 22, isEditing = false }: FacesProps) {
  const { live } = useMessages()
  if (people.length === 0) return null
  const shown = people.slice(0, people.length > mostFaces ? mostFaces - 1 : mostFaces)
  return (
    <span className={classNames(css.faces, isEditing && css.editing)} role="img" aria-label={label} title={label}>
      {shown.map(({ id, name, picture }) => <span key={id} className={css.face}><Avatar name={name || live.someone} src={picture} size={size} /></span>)}
      {people.length > shown.length && <span className={css.more} aria-hidden>{live.hereMore(people.length - shown.length)}</span>}
    </span>
  )
}

/** The names of people as they are read out; those without one count as "someone". */
export function useNames(people: readonly Person[]): string[] {
  const { live } = useMessages()
  return people.map(({ name }) => name || live.someone)
}
