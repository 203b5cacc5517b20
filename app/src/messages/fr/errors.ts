import type { errors as English } from '#messages/en/errors.ts'
import { list, plural, sentences } from './forms.ts'

const tryAgain = 'Réessayez. Si le problème persiste, prévenez les responsables de cette application.'
const signInAgain = 'Reconnectez-vous. Ce qui n’est pas enregistré est conservé dans cet onglet.'
const newCode = 'Vérifiez les chiffres, ou demandez un nouveau code.'
const waitAMinute = 'Patientez une minute, puis réessayez.'
const askForAccess = 'Si vous en avez besoin, demandez l’accès aux responsables de cette application.'

const passwordFaults: Readonly<Record<string, string>> = {
  length: 'il est trop court',
  characters: 'il lui manque certains types de caractères obligatoires (minuscules, majuscules, chiffres, symboles)',
  pwned: 'il figure dans une fuite de données et se devine facilement',
}

export const errors: typeof English = {
  /** What people meet most; the rest is in `refusals.ts`. */
  byCode: {
    invalid_credentials: { title: 'L’adresse e-mail ou le mot de passe est incorrect', whatToDo: 'Vérifiez les deux, ou définissez un nouveau mot de passe.' },
    email_not_confirmed: { title: 'Cette adresse n’est pas encore confirmée', whatToDo: 'Ouvrez le lien reçu par e-mail, ou demandez-en un nouveau.' },
    otp_expired: { title: 'Ce code ou ce lien est incorrect, déjà utilisé ou expiré', whatToDo: newCode },
    over_request_rate_limit: { title: 'Trop de tentatives', whatToDo: 'Patientez quelques minutes, puis réessayez.' },
  },
  byKind: {
    'signed-out': { title: 'Il faut être connecté pour cela', whatToDo: signInAgain },
    forbidden: { title: 'Vous n’avez pas l’autorisation de faire cela', whatToDo: askForAccess },
    missing: { title: 'Cet élément n’existe pas, ou vous ne pouvez pas le voir', whatToDo: 'Il a peut-être été supprimé ou déplacé.' },
    conflict: { title: 'Cela ne s’accorde pas avec ce qui existe déjà', whatToDo: 'Rechargez pour voir la dernière version, puis réessayez.' },
    invalid: { title: 'Le serveur n’a pas pu accepter votre saisie', whatToDo: 'Vérifiez-la, puis réessayez.' },
    busy: { title: 'Le serveur est surchargé', whatToDo: waitAMinute },
    offline: { title: 'Le serveur est injoignable', whatToDo: 'Vérifiez votre connexion, puis réessayez. Votre saisie est conservée.' },
    broken: { title: 'Le serveur a rencontré une erreur', whatToDo: tryAgain },
  },
  sentences,
  weakPassword: (reasons) => ({
    title: 'Ce mot de passe est trop facile à deviner',
    whatToDo: reasons.length > 0 ? `Choisissez-en un autre : ${list(reasons.map((reason) => passwordFaults[reason] ?? reason))}.` : 'Choisissez-en un plus long.',
  }),
  waitSeconds: (seconds) => ({
    title: 'Trop tôt pour un autre message',
    whatToDo: plural(seconds, { one: 'Vous pourrez en demander un autre dans # seconde.', many: 'Vous pourrez en demander un autre dans # de secondes.', other: 'Vous pourrez en demander un autre dans # secondes.' }),
  }),
  ownWords: 'Cette règle a été fixée par le projet.',
}
