import type { errors as English } from '#messages/en/errors.ts'
import { list, sentences } from './forms.ts'

const tryAgain = 'Inténtelo de nuevo. Si el problema continúa, avise a quienes administran esta aplicación.'
const signInAgain = 'Inicie sesión de nuevo. Lo que no se guardó se conserva en esta pestaña.'
const newCode = 'Revise los dígitos o envíe un código nuevo.'
const waitAMinute = 'Espere un minuto e inténtelo de nuevo.'
const askForAccess = 'Si lo necesita, pida acceso a quienes administran esta aplicación.'

const passwordFaults: Readonly<Record<string, string>> = {
  length: 'es demasiado corta',
  characters: 'le faltan algunos tipos de caracteres obligatorios (minúsculas, mayúsculas, dígitos, símbolos)',
  pwned: 'apareció en una filtración de datos y es fácil de adivinar',
}

export const errors: typeof English = {
  byCode: {
    invalid_credentials: { title: 'El correo electrónico o la contraseña no es correcto', whatToDo: 'Revise ambos o establezca una contraseña nueva.' },
    email_not_confirmed: { title: 'Esta dirección aún no se ha confirmado', whatToDo: 'Abra el enlace del correo que enviamos o envíe uno nuevo.' },
    otp_expired: { title: 'Este código o enlace es incorrecto, ya se usó o ha caducado', whatToDo: newCode },
    over_request_rate_limit: { title: 'Demasiados intentos', whatToDo: 'Espere unos minutos e inténtelo de nuevo.' },
  },
  byKind: {
    'signed-out': { title: 'Hay que iniciar sesión para hacer esto', whatToDo: signInAgain },
    forbidden: { title: 'No tiene permiso para hacer esto', whatToDo: askForAccess },
    missing: { title: 'Esto no existe o no puede verlo', whatToDo: 'Puede que se haya eliminado o movido.' },
    conflict: { title: 'Esto no es compatible con lo que ya existe', whatToDo: 'Recargue para ver lo más reciente e inténtelo de nuevo.' },
    invalid: { title: 'El servidor no aceptó lo que escribió', whatToDo: 'Revíselo e inténtelo de nuevo.' },
    busy: { title: 'El servidor está ocupado', whatToDo: waitAMinute },
    offline: { title: 'No se puede acceder al servidor', whatToDo: 'Revise su conexión e inténtelo de nuevo. No se ha perdido nada de lo que escribió.' },
    broken: { title: 'El servidor falló', whatToDo: tryAgain },
  },
  sentences,
  weakPassword: (reasons) => ({
    title: 'Esta contraseña es demasiado fácil de adivinar',
    whatToDo: reasons.length > 0 ? `Elija otra: ${list(reasons.map((reason) => passwordFaults[reason] ?? reason))}.` : 'Elija una más larga.',
  }),
  waitSeconds: (seconds) => ({
    title: 'Demasiado pronto para otro mensaje',
    whatToDo: seconds === 1 ? 'Puede pedir otro en 1 segundo.' : `Puede pedir otro en ${seconds} segundos.`,
  }),
  ownWords: 'Esta regla la estableció el proyecto.',
}
