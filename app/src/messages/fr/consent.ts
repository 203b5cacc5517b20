import type { consent as English } from '#messages/en/consent.ts'

export const consent: typeof English = {
  title: (app, project) => `${app} souhaite vous connecter avec votre compte ${project}`,
  documentTitle: 'Autoriser l’accès',
  loading: 'Recherche de l’application à l’origine de la demande',
  place: 'Vous serez dirigé vers',
  placeHint: {
    web: 'Les applications choisissent leur propre nom. Continuez seulement si vous connaissez cette adresse.',
    device: 'Un programme de cet ordinateur. Continuez seulement si vous venez de le lancer.',
    app: 'Une application de cet appareil. Continuez seulement si vous venez de l’utiliser.',
  },

  asWhom: 'Votre compte',
  guest: 'Invité',
  another: 'Utiliser un autre compte',

  may: 'Elle pourra',
  scopes: {
    openid: 'Vous reconnaître à chaque visite',
    email: 'Voir votre adresse e-mail',
    phone: 'Voir votre numéro de téléphone',
    profile: 'Voir votre nom, votre photo et le reste de votre profil',
    offline_access: 'Conserver son accès en votre absence',
  },
  actForYou: (project) => `Agir en votre nom dans ${project} : voir et modifier ce que vous pouvez y voir et modifier`,
  takeBack: 'Vous pouvez retirer cet accès à tout moment dans votre compte, sous « Applications autorisées ».',
  allow: 'Autoriser',
  deny: 'Ne pas autoriser',

  switchTitle: 'Utiliser un autre compte',
  switchLead: (app, email) => `Cette demande reste liée à ${email}. Déconnectez-vous ici et recommencez dans ${app} : vous pourrez alors choisir le compte à utiliser.`,
  switchGo: 'Se déconnecter et revenir',
  switchStay: (email) => `Rester avec ${email}`,

  leavingTitle: 'Retour en cours',
  leavingKnown: 'Vous avez déjà autorisé cette application.',
  leavingAllowed: 'L’accès est autorisé.',
  leavingDenied: 'L’accès n’a pas été autorisé.',
  leavingLead: (place) => `Si rien ne se passe, allez vous-même sur ${place}.`,
  leavingApp: 'Si votre application ne s’ouvre pas d’elle-même, ouvrez-la ici. Vous pourrez ensuite fermer cette page.',
  goOn: 'Continuer',
  openApp: 'Ouvrir l’application',

  failures: {
    missing: { title: 'Il n’y a aucune demande ici', lead: 'Les applications ouvrent cette page pour demander un accès. Retournez à l’application et commencez là.' },
    gone: {
      title: 'Cette demande n’est plus valable',
      lead: 'Une demande dure dix minutes et appartient au compte qui l’a ouverte en premier. Retournez à l’application et recommencez.',
    },
    expired: { title: 'Cela a pris trop de temps', lead: 'Une demande dure dix minutes. Rien n’a été autorisé. Retournez à l’application et recommencez.' },
    answered: { title: 'Cette demande a déjà reçu une réponse', lead: 'Une seule réponse est possible. Si l’application attend encore, retournez-y et recommencez.' },
    origin: {
      title: 'Cette page ne peut pas répondre pour le projet',
      lead: 'Le projet ne connaît pas cette adresse. Demandez à ses responsables de l’ajouter aux adresses de redirection autorisées.',
    },
    off: { title: 'Les applications ne peuvent pas demander d’accès ici', lead: 'Ce projet ne permet pas à d’autres applications de connecter des personnes. Prévenez les responsables de l’application qui vous envoie.' },
    unsafe: { title: 'Nous ne vous avons pas redirigé', lead: 'L’application veut recevoir la réponse à une adresse qui n’est pas sûre. Prévenez ses responsables.' },
  },
  backTo: (host) => `Retour à ${host}`,
  home: 'Aller à l’accueil',
  signedInAs: (email) => `Vous utilisez le compte ${email}.`,
  otherProject: 'L’application appartient peut-être à un autre projet.',
  chooseProject: 'Choisir le projet',
}
