import type { Areas } from '#messages/languages.ts'
import type { DoorMessages } from '#messages/en/index.ts'
import { errors } from './errors.ts'
import { frontDoor } from './front-door.ts'
import { ui } from './ui.ts'

export const messages: DoorMessages = { ui, frontDoor, errors }

export const areas: Areas = {
  refusals: () => import('./refusals.ts'),
  arrivals: () => import('./arrivals.ts'),
  ways: () => import('./ways.ts'),
  secondFactor: () => import('./second-factor.ts'),
  factors: () => import('./factors.ts'),
  inside: async () => (await import('./inside.ts')).insideMessages,
  account: async () => (await import('./at-account.ts')).accountMessages,
  connect: async () => (await import('./at-connect.ts')).connectMessages,
  files: async () => (await import('./files.ts')).filesMessages,
  board: async () => (await import('./board.ts')).boardMessages,
  live: async () => (await import('./live.ts')).liveMessages,
  channels: async () => (await import('./channels.ts')).channelsMessages,
  consent: () => import('./consent.ts'),
  accounts: () => import('./accounts.ts'),
  onward: () => import('./onward.ts'),
  nudge: () => import('./nudge.ts'),
  tools: async () => (await import('./at-tools.ts')).toolsMessages,
}
