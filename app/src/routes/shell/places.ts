import type { Messages } from '#messages/languages.ts'
import type { IconName } from '#ui/icon.tsx'

/** A part of the workspace beside the tables, reached from the sidebar, the palette and, the first of them, the bar of a phone. */
export interface Place {
  /** Its word is `shell.places[id]`. */
  id: keyof Messages['shell']['places']
  href: string
  icon: IconName
  /** `data`: beside the tables. `person`: in the menu at the foot, for what is looked at rather than worked with. */
  stands: 'data' | 'person'
  /** Two keys in turn: `g f`. */
  keys?: string
}

/** Every place there is, in the order they are shown. */
export const places: readonly Place[] = [
  { id: 'files', href: '/files', icon: 'folder', stands: 'data', keys: 'g f' },
  { id: 'live', href: '/live', icon: 'radio', stands: 'data', keys: 'g l' },
  { id: 'functions', href: '/functions', icon: 'bolt', stands: 'data', keys: 'g e' },
  { id: 'inspector', href: '/inspector', icon: 'eye', stands: 'person', keys: 'g i' },
]

export const dataPlaces = places.filter(({ stands }) => stands === 'data')
export const personPlaces = places.filter(({ stands }) => stands === 'person')

/** Whether an address lies in a place: `/files/avatars` in `/files`. */
export const isIn = ({ href }: Place, pathname: string): boolean => pathname === href || pathname.startsWith(`${href}/`)
