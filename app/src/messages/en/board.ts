import { number, plural } from './forms.ts'

/** Words of a board: loaded with the first one. */
const board = {
  board: (name: string) => `Board of ${name}`,
  groupBy: 'Group by',
  /** A column that cannot be grouped by, and why. */
  tooManyToGroup: (column: string, most: number) => `${column}: more than ${number(most)} values`,
  sortBy: 'Sort by',
  sortUsual: 'Newest first',
  sortByKey: 'As they come',
  ascending: 'Ascending',
  descending: 'Descending',
  goToColumn: 'Go to a column',
  columns: 'Columns',
  notSet: 'Not set',
  others: 'Others',
  cards: (count: number) => plural(count, { exactlyZero: 'No cards', one: '# card', other: '# cards' }),
  atLeast: (count: number) => `${number(count)}+`,
  noCards: 'No cards',
  dropHere: 'Drop here',
  loadingCards: (column: string) => `Loading ${column}`,
  loadingBoard: 'Loading board',
  loadMore: 'Load more',
  newIn: (column: string) => `New record in ${column}`,
  cardMenu: (title: string) => `Move ${title}`,
  moveTo: 'Move to',
  open: 'Open',
  waiting: (count: number) => plural(count, { one: '# change', other: '# changes' }),
  waitingHint: 'Show what others changed',
  moved: (title: string, column: string) => `${title} moved to ${column}`,
  undo: 'Undo',
  /** Read out with each card that can be moved. */
  keysHint: 'Press Space to pick the card up, the left and right arrows to choose a column, Space to drop it and Escape to leave it where it was.',
  pickedUp: (title: string, column: string) => `${title} picked up from ${column}. Choose a column with the left and right arrows.`,
  over: (column: string, cards: string) => `${column}, ${cards}`,
  dropped: (title: string, column: string) => `${title} dropped in ${column}`,
  leftThere: (title: string, column: string) => `${title} stays in ${column}`,
  gone: (title: string) => `${title} is no longer there. Somebody deleted it meanwhile.`,
  notMoved: 'Not moved.',
  clash: (column: string) => `Somebody moved this to ${column} meanwhile.`,
  moveAnyway: (column: string) => `Move to ${column}`,
  leaveIt: 'Leave it',
  tryAgain: 'Try again',
  readOnlyHint: 'You can look at this board, but not move its cards.',
  tooMany: (name: string, most: number) => `${name} has more than ${number(most)} rows`,
  tooManyHint: 'That is too many to stand side by side. Group by another column, or go back to the grid.',
  noTargets: (name: string) => `Nothing in ${name} to group by`,
  noTargetsHint: 'The rows would stand in its columns. There are none yet, or the policies of this project show you none of them.',
  backToGrid: 'Back to the grid',
  failed: 'The board could not be loaded',
}

export const boardMessages = { board }

export type BoardMessages = typeof boardMessages
