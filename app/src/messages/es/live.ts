import type { LiveMessages } from '#messages/en/live.ts'
import { list, plural } from './forms.ts'

const live: LiveMessages['live'] = {
  newRows: (count) => plural(count, { one: '# fila nueva', many: '# de filas nuevas', other: '# filas nuevas' }),
  newRowsHint: 'Mostrar',
  rowsChanged: 'Hay filas modificadas',
  rowsChangedHint: 'Reordenar',
  stateLive: 'En vivo',
  stateLiveHint: 'Los cambios de otras personas aparecen aquí al momento.',
  stateJoining: 'Conectando',
  stateLost: 'Conexión en vivo interrumpida',
  stateLostHint: 'La conexión en vivo se ha interrumpido. Vuelve por sí sola y entonces se lee lo que faltó.',
  stateOff: 'Sin actualización en vivo',
  stateOffHint: 'El proyecto no envía los cambios de esta tabla. Actualice para ver lo que otras personas cambiaron.',
  someone: 'Alguien',
  here: (names) => `También aquí: ${list(names)}`,
  hereMore: (count) => `+${count}`,
  isEditing: (name) => `${name} está editando`,
  areEditing: (names) => `${list(names)} están editando`,
  isLooking: (name) => `${name} está viendo esto`,
  areLooking: (names) => `${list(names)} están viendo esto`,
  deletedTitle: 'Alguien acaba de eliminar este registro',
  deletedHint: 'Lo que ve es lo que contenía. Ya no se puede guardar nada en él; copie lo que aún necesite.',
}

export const liveMessages: LiveMessages = { live }
