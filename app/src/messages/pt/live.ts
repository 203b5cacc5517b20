import type { LiveMessages } from '#messages/en/live.ts'
import { list, plural } from './forms.ts'

const live: LiveMessages['live'] = {
  newRows: (count) => plural(count, { one: '# linha nova', many: '# de linhas novas', other: '# linhas novas' }),
  newRowsHint: 'Mostrar',
  rowsChanged: 'Há linhas alteradas',
  rowsChangedHint: 'Reordenar',
  stateLive: 'Ao vivo',
  stateLiveHint: 'As alterações de outras pessoas aparecem aqui na hora.',
  stateJoining: 'Conectando',
  stateLost: 'Conexão ao vivo interrompida',
  stateLostHint: 'A conexão ao vivo foi interrompida. Ela volta sozinha e então o que faltou é lido.',
  stateOff: 'Sem atualização ao vivo',
  stateOffHint: 'O projeto não envia as alterações desta tabela. Atualize para ver o que outras pessoas alteraram.',
  someone: 'Alguém',
  here: (names) => `Também aqui: ${list(names)}`,
  hereMore: (count) => `+${count}`,
  isEditing: (name) => `${name} está editando`,
  areEditing: (names) => `${list(names)} estão editando`,
  isLooking: (name) => `${name} está vendo isto`,
  areLooking: (names) => `${list(names)} estão vendo isto`,
  deletedTitle: 'Alguém acabou de excluir este registro',
  deletedHint: 'Você vê o que ele continha. Não é mais possível salvar nada nele; copie o que ainda precisar.',
}

export const liveMessages: LiveMessages = { live }
