import type { ways as English } from '#messages/en/ways.ts'

export const ways: typeof English = {
  passkey: 'Iniciar sesión con una llave de acceso',
  passkeyUnused: 'No se usó ninguna llave de acceso. Inténtelo de nuevo o elija otra forma.',
  passkeyElsewhere: 'Las llaves de acceso no funcionan en esta dirección de la aplicación. Elija otra forma.',
  with: (provider) => `Continuar con ${provider}`,
  lastUsed: 'Último uso',
  loadFailed: 'No se pudieron cargar las otras formas de iniciar sesión.',

  phone: {
    way: 'Continuar con su teléfono',
    title: 'Iniciar sesión con su teléfono',
    lead: 'Enviamos un código a su número. Su operador puede cobrar por el mensaje.',
    country: 'País',
    number: 'Número de teléfono',
    missing: 'Escriba su número de teléfono.',
    malformed: 'Este número de teléfono está incompleto. Escríbalo como lo marcaría o con + y el código del país.',
    sendTo: (number) => `El código se enviará a ${number}.`,
    submit: 'Enviar el código',
    submitLocked: (seconds) => `Enviar el código (${seconds} s)`,
    whatsApp: 'Enviarlo por WhatsApp',
    unknown: 'No hay ninguna cuenta con este número.',
    unknownHint: 'Revise el número o elija otra forma.',
    codeTitle: 'Revise su teléfono',
    codeLead: 'Escriba el código del mensaje que le enviamos.',
    change: (number) => `Cambiar el número ${number}`,
    code: 'Código del mensaje',
    codeHint: 'Puede tardar un minuto en llegar.',
    codeMissing: 'Escriba el código del mensaje.',
    codeWrong: 'Este código es incorrecto o ha caducado. Revise los dígitos o envíe uno nuevo.',
    notThere: '¿No llegó el mensaje?',
    sentAgain: 'Un código nuevo está en camino. El anterior ya no sirve.',
  },

  sso: {
    way: 'Continuar con su organización',
    title: 'Iniciar sesión con su organización',
    lead: 'Escriba su correo de trabajo. Le llevaremos al inicio de sesión de su organización.',
    email: 'Correo de trabajo',
    submit: 'Continuar',
    unknown: (domain) => `Ninguna organización usa aquí ${domain}`,
    unknownHint: 'Revise la dirección o elija otra forma de iniciar sesión.',
  },

  wallet: {
    with: (wallet) => `Continuar con ${wallet}`,
    ethereum: 'cartera Ethereum',
    solana: 'cartera Solana',
    statement: (project) => `Iniciar sesión en ${project}. Esto no cuesta nada ni mueve nada.`,
    refused: 'La cartera no firmó',
    refusedHint: 'No ha cambiado nada. Abra la cartera, elija una cuenta e inténtelo de nuevo.',
  },

  guest: {
    way: 'Explorar como invitado',
    hint: 'Lo que haga se conserva en este navegador hasta que guarde su cuenta.',
  },

  signUp: {
    missing: (label) => `Complete “${label}”.`,
    malformedNumber: 'Escriba un número.',
    malformedUrl: 'Escriba una dirección completa, como https://example.com.',
    choose: 'Elegir',
    agree: {
      two: (one, other) => ['Acepto los ', one, ' y la ', other, '.'],
      one: (page) => ['Acepto: ', page, '.'],
      none: 'Acepto los términos de esta aplicación.',
    },
    goOn: {
      two: (one, other) => ['Al continuar, acepta los ', one, ' y la ', other, '.'],
      one: (page) => ['Al continuar, acepta: ', page, '.'],
      none: 'Al continuar, acepta los términos de esta aplicación.',
    },
    terms: 'términos de uso',
    privacy: 'política de privacidad',
    agreeMissing: 'Hay que aceptar para crear una cuenta.',
    contact: 'Pedir una cuenta',
  },

  password: {
    atLeast: (count) => `Al menos ${count} caracteres`,
    classes: { letters: 'Una letra', lower: 'Una letra minúscula', upper: 'Una letra mayúscula', digits: 'Un dígito', symbols: 'Un símbolo' },
    met: 'cumplido',
    notMet: 'aún no cumplido',
    strength: 'Fortaleza',
    strengths: ['muy débil', 'débil', 'aceptable', 'buena', 'fuerte'],
  },

  keep: {
    notice: 'Está aquí como invitado. Si cierra sesión o borra los datos de este navegador, perderá lo que hizo.',
    way: 'Guardar su cuenta',
    title: 'Guarde su cuenta',
    lead: 'Con una dirección y una contraseña, lo que hizo como invitado sigue siendo suyo.',
    submit: 'Guardar cuenta',
    takenTitle: 'Ya existe una cuenta con esta dirección',
    takenHint: 'Use otra dirección para conservar lo que hizo como invitado. O inicie sesión en esa cuenta: lo que hizo como invitado quedará entonces fuera de su alcance.',
    signInInstead: 'Abandonar lo que hice e iniciar sesión',
    codeTitle: 'Confirme su dirección',
    codeLead: 'Escriba el código del correo que le enviamos o abra su enlace en este navegador.',
    later: 'Ahora no',
  },
}
