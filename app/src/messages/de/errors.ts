import type { errors as English } from '#messages/en/errors.ts'

export const errors: typeof English = {
  offline: 'Sie sind offline. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
}
