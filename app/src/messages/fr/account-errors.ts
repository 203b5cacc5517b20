import type { accountErrors as English } from '#messages/en/account-errors.ts'

export const accountErrors: typeof English = {
  portico_signed_out: { title: 'Votre session a expiré', whatToDo: 'Reconnectez-vous. Ce qui n’est pas enregistré est conservé dans cet onglet.' },
  portico_not_for_guests: { title: 'Ce n’est pas possible en mode invité', whatToDo: 'Sauvegardez d’abord votre compte : ajoutez une adresse e-mail ou un numéro de téléphone.' },
  portico_not_for_apps: { title: 'Une application ne peut pas faire cela à votre place', whatToDo: 'Connectez-vous vous-même, dans votre navigateur.' },
  portico_fresh_proof_needed: { title: 'Votre connexion est trop ancienne pour cela', whatToDo: 'Déconnectez-vous, reconnectez-vous, puis recommencez dans les 15 minutes.' },
  portico_second_factor_needed: { title: 'Votre second facteur est nécessaire', whatToDo: 'Saisissez-en un code, puis recommencez dans les 15 minutes.' },
  portico_session_not_found: { title: 'Cette session est déjà terminée', whatToDo: 'Il n’y a plus rien à faire.' },
  portico_account_in_use: { title: 'Il faut d’abord s’occuper des lignes qui vous appartiennent', whatToDo: 'Supprimez-les ou attribuez-les à quelqu’un d’autre, puis réessayez.' },
  portico_photos_not_public: { title: 'Les photos ne peuvent pas être affichées ici', whatToDo: 'Le bucket qui les contient n’est pas public. Signalez-le aux responsables de cette application.' },
}
