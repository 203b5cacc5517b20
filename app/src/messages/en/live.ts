import { list, plural } from './forms.ts'

/** Words of what happens in tables and records while one looks: loaded after the rows. */
const live = {
  newRows: (count: number) => plural(count, { one: '# new row', other: '# new rows' }),
  newRowsHint: 'Show them',
  rowsChanged: 'Rows have changed',
  rowsChangedHint: 'Put them in order',
  stateLive: 'Live',
  stateLiveHint: 'What others change shows here as it happens.',
  stateJoining: 'Going live',
  stateLost: 'Not live just now',
  stateLostHint: 'The live connection is interrupted. It comes back by itself, and what was missed is read then.',
  stateOff: 'Not live',
  stateOffHint: 'The project does not send changes of this table. Refresh to see what others changed.',
  someone: 'Someone',
  here: (names: readonly string[]) => `Also here: ${list(names)}`,
  hereMore: (count: number) => `+${count}`,
  isEditing: (name: string) => `${name} is editing`,
  areEditing: (names: readonly string[]) => `${list(names)} are editing`,
  isLooking: (name: string) => `${name} is looking at this`,
  areLooking: (names: readonly string[]) => `${list(names)} are looking at this`,
  deletedTitle: 'Somebody has just deleted this record',
  deletedHint: 'What you see is what it held. Nothing can be saved to it any more; copy what you still need.',
}

export const liveMessages = { live }

export type LiveMessages = typeof liveMessages
