import type { nudge as English } from '#messages/en/nudge.ts'

export const nudge: typeof English = {
  label: 'Conseil',
  passkey: 'La prochaine fois, connectez-vous avec votre visage, votre empreinte ou le code de l’appareil.',
  addPasskey: 'Ajouter une clé d’accès',
  passkeyAdded: 'Votre clé d’accès est prête. Choisissez-la lors de votre prochaine connexion.',
  secondStep: 'Une seconde étape à la connexion protège votre compte même si quelqu’un connaît votre mot de passe.',
  addSecondStep: 'Définir une seconde étape',
  later: 'Pas maintenant',
}
