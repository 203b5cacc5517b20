import type { consent as English } from '#messages/en/consent.ts'

export const consent: typeof English = {
  title: (app, project) => `${app} quiere que inicie sesión con su cuenta de ${project}`,
  documentTitle: 'Permitir acceso',
  loading: 'Averiguando quién lo pide',
  place: 'Le lleva a',
  placeHint: {
    web: 'Las aplicaciones eligen su propio nombre. Continúe solo si conoce esta dirección.',
    device: 'Un programa en este equipo. Continúe solo si acaba de iniciarlo.',
    app: 'Una aplicación en este dispositivo. Continúe solo si acaba de usarla.',
  },

  asWhom: 'Su cuenta',
  guest: 'Invitado',
  another: 'Usar otra cuenta',

  may: 'La aplicación podrá',
  scopes: {
    openid: 'Saber que es usted cada vez que vuelva',
    email: 'Ver su correo electrónico',
    phone: 'Ver su número de teléfono',
    profile: 'Ver su nombre, su foto y lo demás que haya en su perfil',
    offline_access: 'Mantener el acceso mientras usted no esté',
  },
  actForYou: (project) => `Actuar por usted en ${project}: ver y cambiar lo que usted puede ver y cambiar allí`,
  takeBack: 'Puede retirar el acceso en cualquier momento en su cuenta, en aplicaciones conectadas.',
  allow: 'Permitir',
  deny: 'No permitir',

  switchTitle: 'Usar otra cuenta',
  switchLead: (app, email) => `Esta solicitud se queda con ${email}. Cierre sesión aquí y empiece de nuevo en ${app}: entonces se le preguntará qué cuenta usar.`,
  switchGo: 'Cerrar sesión y volver',
  switchStay: (email) => `Seguir con ${email}`,

  leavingTitle: 'Volviendo a la aplicación',
  leavingKnown: 'Ya dio acceso antes a esta aplicación.',
  leavingAllowed: 'El acceso se ha permitido.',
  leavingDenied: 'El acceso no se ha permitido.',
  leavingLead: (place) => `Si no ocurre nada, continúe por su cuenta a ${place}.`,
  leavingApp: 'Si la aplicación no se abre sola, ábrala aquí. Después puede cerrar esta página.',
  goOn: 'Continuar',
  openApp: 'Abrir la aplicación',

  failures: {
    missing: { title: 'Aquí no hay ninguna solicitud', lead: 'Las aplicaciones abren esta página para pedir acceso. Vuelva a la aplicación y empiece desde allí.' },
    gone: {
      title: 'Esta solicitud ya no es válida',
      lead: 'Una solicitud dura diez minutos y pertenece a la cuenta que la abrió primero. Vuelva a la aplicación y empiece de nuevo.',
    },
    expired: { title: 'Se tardó demasiado', lead: 'Una solicitud dura diez minutos. No se permitió nada. Vuelva a la aplicación y empiece de nuevo.' },
    answered: { title: 'Esta solicitud ya se respondió', lead: 'Solo se puede responder una vez. Si la aplicación sigue esperando, vuelva a ella y empiece de nuevo.' },
    origin: {
      title: 'Esta página no puede responder por el proyecto',
      lead: 'El proyecto no conoce esta dirección. Pida a quienes lo administran que la añadan a las direcciones de redirección permitidas.',
    },
    off: { title: 'Las aplicaciones no pueden pedir acceso aquí', lead: 'Este proyecto no permite iniciar sesión en otras aplicaciones. Avise a quienes administran la aplicación desde la que llegó.' },
    unsafe: { title: 'No hemos continuado', lead: 'La aplicación quiere recibir la respuesta en una dirección que no es seguro abrir. Avise a quienes la administran.' },
  },
  backTo: (host) => `Volver a ${host}`,
  home: 'Ir a la página de inicio',
  signedInAs: (email) => `Ha iniciado sesión como ${email}.`,
  otherProject: 'La aplicación puede pertenecer a otro proyecto.',
  chooseProject: 'Elegir el proyecto',
}
