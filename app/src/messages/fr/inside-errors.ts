const tryAgain = 'Réessayez. Si le problème persiste, prévenez les responsables de cette application.'
const tellTheOwner = 'Seuls les responsables de cette application peuvent y remédier. Indiquez-leur le code ci-dessous.'
const signInAgain = 'Reconnectez-vous. Ce qui n’est pas enregistré est conservé dans cet onglet.'
const waitAMinute = 'Patientez une minute, puis réessayez.'
const askForAccess = 'Si vous en avez besoin, demandez l’accès aux responsables de cette application.'
const checkTheValue = 'Corrigez la valeur et enregistrez de nouveau.'
const reload = 'Rechargez la page : le projet a changé.'

export const insideErrors: Readonly<Record<string, { title: string; whatToDo: string }>> = {
  '22001': { title: 'Un texte est trop long', whatToDo: checkTheValue },
  '22003': { title: 'Un nombre est trop grand ou trop petit', whatToDo: checkTheValue },
  '22007': { title: 'Une date ou une heure n’est pas valide', whatToDo: checkTheValue },
  '22008': { title: 'Une date ou une heure est hors limites', whatToDo: checkTheValue },
  '22P02': { title: 'Une valeur ne convient pas à son champ', whatToDo: checkTheValue },
  '23502': { title: 'Un champ obligatoire est vide', whatToDo: 'Remplissez-le et enregistrez de nouveau.' },
  '23001': { title: 'D’autres enregistrements pointent encore vers celui-ci', whatToDo: 'Modifiez ou supprimez d’abord les enregistrements liés.' },
  '23503': { title: 'Un autre enregistrement dépend de celui-ci, ou l’un de ceux vers lesquels il pointe n’existe plus', whatToDo: 'Modifiez ou supprimez d’abord les enregistrements liés.' },
  '23505': { title: 'Il existe déjà un enregistrement avec cette valeur', whatToDo: 'Choisissez une autre valeur.' },
  '23514': { title: 'Une valeur enfreint une règle de cette table', whatToDo: checkTheValue },
  '23P01': { title: 'Cela chevauche un autre enregistrement', whatToDo: 'Choisissez une autre plage.' },
  '25006': { title: 'Rien ne peut être modifié ici', whatToDo: askForAccess },
  '40001': { title: 'Quelqu’un a fait une modification au même moment', whatToDo: 'Réessayez.' },
  '40P01': { title: 'Quelqu’un a fait une modification au même moment', whatToDo: 'Réessayez.' },
  '42501': { title: 'Vous n’avez pas l’autorisation de faire cela', whatToDo: askForAccess },
  '42703': { title: 'Une colonne n’existe plus', whatToDo: reload },
  '42883': { title: 'Une fonction n’existe plus', whatToDo: reload },
  '42P01': { title: 'Cette table n’existe plus', whatToDo: reload },
  '42P17': { title: 'Les règles d’accès de cette table se réfèrent à elles-mêmes', whatToDo: tellTheOwner },
  '428C9': { title: 'Cette valeur est calculée et ne peut pas être définie', whatToDo: 'Laissez le champ tel quel.' },
  '53300': { title: 'La base de données est surchargée', whatToDo: waitAMinute },
  '53400': { title: 'La base de données est surchargée', whatToDo: waitAMinute },
  '55P03': { title: 'Quelqu’un est en train de modifier cela', whatToDo: 'Réessayez dans un instant.' },
  '57014': { title: 'Cela a pris trop de temps et a été interrompu', whatToDo: 'Réduisez la sélection avec un filtre, puis réessayez.' },
  PGRST000: { title: 'La base de données est injoignable', whatToDo: waitAMinute },
  PGRST001: { title: 'La base de données est injoignable', whatToDo: waitAMinute },
  PGRST002: { title: 'La base de données démarre', whatToDo: 'Réessayez dans un instant.' },
  PGRST003: { title: 'La base de données est surchargée', whatToDo: waitAMinute },
  PGRST100: { title: 'Le filtre ou le tri n’a pas pu être lu', whatToDo: 'Modifiez-le ou retirez-le.' },
  PGRST102: { title: 'Le serveur n’a pas pu lire ce qui a été envoyé', whatToDo: tryAgain },
  PGRST103: { title: 'Il y a moins d’enregistrements que demandé', whatToDo: 'Revenez aux premiers.' },
  PGRST106: { title: 'Ce schéma n’est pas ouvert à l’application', whatToDo: tellTheOwner },
  PGRST116: { title: 'Cet enregistrement n’existe pas, ou vous ne pouvez pas le voir', whatToDo: 'Il a peut-être été supprimé. Revenez à la liste.' },
  PGRST200: { title: 'Ces tables ne sont plus liées', whatToDo: reload },
  PGRST201: { title: 'Ces tables sont liées de plusieurs façons', whatToDo: tellTheOwner },
  PGRST202: { title: 'Cette fonction n’existe plus', whatToDo: reload },
  PGRST203: { title: 'Il existe plusieurs fonctions de ce nom', whatToDo: tellTheOwner },
  PGRST204: { title: 'Une colonne n’existe plus', whatToDo: reload },
  PGRST205: { title: 'Cette table n’existe plus', whatToDo: reload },
  PGRST300: { title: 'Le serveur n’a pas sa clé de signature', whatToDo: tellTheOwner },
  PGRST301: { title: 'Le serveur n’accepte pas cette session', whatToDo: signInAgain },
  PGRST302: { title: 'Il faut être connecté pour cela', whatToDo: 'Connectez-vous, puis réessayez.' },
  PGRST303: { title: 'Votre session a expiré', whatToDo: signInAgain },
}
