import type { LiveMessages } from '#messages/en/live.ts'
import { list, plural } from './forms.ts'

const live: LiveMessages['live'] = {
  newRows: (count) => plural(count, { one: '# nouvelle ligne', many: '# de nouvelles lignes', other: '# nouvelles lignes' }),
  newRowsHint: 'Afficher',
  rowsChanged: 'Des lignes ont changé',
  rowsChangedHint: 'Remettre en ordre',
  stateLive: 'En direct',
  stateLiveHint: 'Les modifications des autres s’affichent ici aussitôt.',
  stateJoining: 'Connexion au direct',
  stateLost: 'Direct interrompu',
  stateLostHint: 'La connexion en direct est interrompue. Elle revient d’elle-même, et ce qui a été manqué est alors chargé.',
  stateOff: 'Pas en direct',
  stateOffHint: 'Le projet n’envoie pas les modifications de cette table. Actualisez pour voir ce que les autres ont modifié.',
  someone: 'Quelqu’un',
  here: (names) => `Également ici : ${list(names)}`,
  hereMore: (count) => `+${count}`,
  isEditing: (name) => `${name} modifie cet enregistrement`,
  areEditing: (names) => `${list(names)} modifient cet enregistrement`,
  isLooking: (name) => `${name} consulte cet enregistrement`,
  areLooking: (names) => `${list(names)} consultent cet enregistrement`,
  deletedTitle: 'Quelqu’un vient de supprimer cet enregistrement',
  deletedHint: 'Vous voyez ce qu’il contenait. Rien ne peut plus y être enregistré ; copiez ce dont vous avez encore besoin.',
}

export const liveMessages: LiveMessages = { live }
