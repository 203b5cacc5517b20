import type { frontDoor as English } from '#messages/en/front-door.ts'

export const frontDoor: typeof English = {
  signIn: 'Anmelden',
}
