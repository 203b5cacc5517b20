import type { accounts as English } from '#messages/en/accounts.ts'

export const accounts: typeof English = {
  title: 'Choisir un compte',
  lead: 'Ces comptes restent connectés dans ce navigateur.',
  now: 'Utilisé actuellement',
  guest: 'Invité',
  end: (name) => `Déconnecter ${name}`,
  another: 'Utiliser un autre compte',
  notKept: 'Vous avez choisi de ne pas rester connecté : ce compte sera déconnecté ici dès que vous passerez à un autre.',
  endedTitle: (name) => `${name} n’est plus connecté ici`,
  endedHint: 'La session a été fermée ou a expiré. Connectez-vous à nouveau.',
  signInAgain: 'Se reconnecter',
}
