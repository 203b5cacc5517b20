import type { ways as English } from '#messages/en/ways.ts'

export const ways: typeof English = {
  passkey: 'Se connecter avec une clé d’accès',
  passkeyUnused: 'Aucune clé d’accès n’a été utilisée. Réessayez, ou choisissez un autre moyen.',
  passkeyElsewhere: 'Les clés d’accès ne fonctionnent pas à cette adresse de l’application. Choisissez un autre moyen.',
  with: (provider) => `Continuer avec ${provider}`,
  lastUsed: 'Dernier utilisé',
  loadFailed: 'Les autres modes de connexion n’ont pas pu être chargés.',

  phone: {
    way: 'Continuer avec votre téléphone',
    title: 'Se connecter avec votre téléphone',
    lead: 'Nous envoyons un code à votre numéro. Votre opérateur peut facturer le message.',
    country: 'Pays',
    number: 'Numéro de téléphone',
    missing: 'Saisissez votre numéro de téléphone.',
    malformed: 'Ce numéro de téléphone est incomplet. Saisissez-le comme vous le composeriez, ou avec + et l’indicatif du pays.',
    sendTo: (number) => `Le code est envoyé au ${number}.`,
    submit: 'Envoyer le code',
    submitLocked: (seconds) => `Envoyer le code (${seconds} s)`,
    whatsApp: 'L’envoyer par WhatsApp',
    unknown: 'Il n’existe pas de compte avec ce numéro.',
    unknownHint: 'Vérifiez le numéro, ou choisissez un autre moyen.',
    codeTitle: 'Consultez votre téléphone',
    codeLead: 'Saisissez le code du message que nous vous avons envoyé.',
    change: (number) => `Modifier le numéro ${number}`,
    code: 'Code reçu par message',
    codeHint: 'Il peut mettre une minute à arriver.',
    codeMissing: 'Saisissez le code reçu par message.',
    codeWrong: 'Ce code est incorrect ou expiré. Vérifiez les chiffres, ou demandez un nouveau code.',
    notThere: 'Pas de message ?',
    sentAgain: 'Un nouveau code vient d’être envoyé. Le précédent n’est plus valable.',
  },

  sso: {
    way: 'Continuer avec votre organisation',
    title: 'Se connecter avec votre organisation',
    lead: 'Saisissez votre adresse professionnelle. Nous vous dirigeons vers la page de connexion de votre organisation.',
    email: 'Adresse professionnelle',
    submit: 'Continuer',
    unknown: (domain) => `Aucune organisation n’utilise ${domain} ici`,
    unknownHint: 'Vérifiez l’adresse, ou choisissez un autre mode de connexion.',
  },

  wallet: {
    with: (wallet) => `Continuer avec ${wallet}`,
    ethereum: 'un portefeuille Ethereum',
    solana: 'un portefeuille Solana',
    statement: (project) => `Connexion au projet ${project}. Cette signature est gratuite et ne transmet aucun fonds.`,
    refused: 'Le portefeuille n’a pas signé',
    refusedHint: 'Rien n’a changé. Ouvrez-le, choisissez un compte et réessayez.',
  },

  guest: {
    way: 'Découvrir en mode invité',
    hint: 'Ce que vous faites est conservé dans ce navigateur jusqu’à ce que vous sauvegardiez votre compte.',
  },

  signUp: {
    missing: (label) => `Remplissez « ${label} ».`,
    malformedNumber: 'Saisissez un nombre.',
    malformedUrl: 'Saisissez une adresse complète, par exemple https://example.com.',
    choose: 'Choisir',
    agree: {
      two: (one, other) => ['J’accepte ', one, ' et ', other, '.'],
      one: (page) => ['J’accepte ', page, '.'],
      none: 'J’accepte les conditions de cette application.',
    },
    goOn: {
      two: (one, other) => ['En continuant, vous acceptez ', one, ' et ', other, '.'],
      one: (page) => ['En continuant, vous acceptez ', page, '.'],
      none: 'En continuant, vous acceptez les conditions de cette application.',
    },
    terms: 'les conditions d’utilisation',
    privacy: 'la politique de confidentialité',
    agreeMissing: 'Votre accord est nécessaire pour créer un compte.',
    contact: 'Demander un compte',
  },

  password: {
    atLeast: (count) => `Au moins ${count} caractères`,
    classes: { letters: 'Une lettre', lower: 'Une minuscule', upper: 'Une majuscule', digits: 'Un chiffre', symbols: 'Un symbole' },
    met: 'respecté',
    notMet: 'pas encore respecté',
    strength: 'Robustesse',
    strengths: ['très faible', 'faible', 'moyenne', 'bonne', 'forte'],
  },

  keep: {
    notice: 'Vous êtes en mode invité. Si vous vous déconnectez ou effacez les données de ce navigateur, ce que vous avez fait sera perdu.',
    way: 'Sauvegarder votre compte',
    title: 'Sauvegarder votre compte',
    lead: 'Une adresse et un mot de passe suffisent pour garder ce que vous avez fait en mode invité.',
    submit: 'Sauvegarder le compte',
    takenTitle: 'Il existe déjà un compte avec cette adresse',
    takenHint: 'Utilisez une autre adresse pour garder ce que vous avez fait en mode invité. Ou connectez-vous à ce compte : ce que vous avez fait en mode invité ne sera alors plus accessible.',
    signInInstead: 'Y renoncer et se connecter',
    codeTitle: 'Confirmer votre adresse',
    codeLead: 'Saisissez le code de l’e-mail que nous vous avons envoyé, ou ouvrez son lien dans ce navigateur.',
    later: 'Pas maintenant',
  },
}
