import type { ownData as English } from '#messages/en/own-data.ts'
import { plural } from './forms.ts'

export const ownData: typeof English = {
  export: {
    heading: 'Exporter vos données',
    lead: 'Un fichier JSON avec le contenu de ce compte : à garder, ou à emporter ailleurs.',
    account: 'Il contient votre profil, vos moyens de connexion, vos sessions, votre activité et vos applications autorisées.',
    tables: 'Ainsi que les lignes qui vous appartiennent',
    table: (name, column) => `${name}, où ${column} vous désigne`,
    start: 'Exporter',
    stop: 'Arrêter',
    working: (what) => `Lecture : ${what}`,
    workingAccount: 'votre compte',
    rows: (count) => plural(count, { one: '# ligne pour l’instant', many: '# de lignes pour l’instant', other: '# lignes pour l’instant' }),
    done: (size) => `Le fichier est enregistré (${size}).`,
    partly: (names) => `Tout n’a pas pu être lu : ${names}. Le fichier l’indique aussi. Le reste est enregistré.`,
    again: 'Enregistrer de nouveau le fichier',
    cut: (name, count) => plural(count, { one: `${name} compte plus de # ligne ; le reste est omis`, many: `${name} compte plus de # de lignes ; le reste est omis`, other: `${name} compte plus de # lignes ; le reste est omis` }),
  },

  remove: {
    heading: 'Supprimer le compte',
    lead: 'Définitivement : personne ne pourra le rétablir.',
    start: 'Supprimer le compte',
    title: 'Supprimer votre compte ?',
    goes: 'Supprimé immédiatement :',
    goesAccount: 'Votre compte, avec tous ses moyens de connexion',
    goesSessions: 'Toutes les sessions, sur tous les appareils',
    goesPhoto: 'Votre photo',
    goesRows: (table) => `Vos lignes dans ${table}`,
    stays: 'Conservé :',
    staysRows: (table) => `Les lignes dans ${table}, sans indiquer qu’elles sont à vous`,
    staysFiles: 'Les fichiers que vous avez importés',
    blocks: 'Ces tables peuvent bloquer la suppression tant que des lignes à vous s’y trouvent :',
    confirmLabel: (what) => `Saisissez ${what} pour confirmer`,
    confirmWord: 'supprimer',
    mismatch: (what) => `Ce n’est pas ${what}.`,
    submit: 'Supprimer définitivement le compte',
    failed: 'Votre compte existe toujours',
    inUse: 'Il faut d’abord s’occuper des lignes qui vous appartiennent',
    inUseIn: (table) => `Supprimez vos lignes dans ${table} ou attribuez-les à quelqu’un d’autre, puis réessayez.`,
    inUseSomewhere: 'Adressez-vous aux responsables de cette application : ils conservent un élément qui ne doit pas perdre son compte.',
  },

  goodbye: {
    title: 'Votre compte est supprimé',
    lead: (project) => `Vous êtes déconnecté de ${project} partout. Merci d’avoir été là.`,
    note: 'Un autre appareil peut mettre jusqu’à une heure à s’en apercevoir.',
    again: 'Aller à la page de connexion',
  },
}
