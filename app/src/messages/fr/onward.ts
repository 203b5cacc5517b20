import type { onward as English } from '#messages/en/onward.ts'

export const onward: typeof English = {
  going: 'Retour en cours',
  goingLead: (host) => `Si rien ne se passe, allez vous-même sur ${host}.`,
  goOn: 'Continuer',
  refusedTitle: 'La connexion a réussi, mais nous ne vous avons pas redirigé',
  refusedLead: 'Cette application n’a pas le droit de diriger vers l’adresse d’où vous venez. Si vous lui faites confiance, retournez-y vous-même ; prévenez ses responsables.',
  refusedHost: (host) => `L’adresse se trouvait sur ${host}.`,
  home: 'Aller à l’accueil',
}
