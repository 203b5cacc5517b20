import type { accounts as English } from '#messages/en/accounts.ts'

export const accounts: typeof English = {
  title: 'Elegir una cuenta',
  lead: 'Estas cuentas mantienen la sesión iniciada en este navegador.',
  now: 'En uso',
  guest: 'Invitado',
  end: (name) => `Cerrar la sesión de ${name}`,
  another: 'Usar otra cuenta',
  notKept: 'Eligió no mantener la sesión iniciada: la sesión de esta cuenta se cerrará aquí en cuanto cambie a otra.',
  endedTitle: (name) => `${name} ya no tiene la sesión iniciada aquí`,
  endedHint: 'La sesión se cerró o ha caducado. Inicie sesión de nuevo.',
  signInAgain: 'Iniciar sesión de nuevo',
}
