import type { onward as English } from '#messages/en/onward.ts'

export const onward: typeof English = {
  going: 'Llevándole de vuelta',
  goingLead: (host) => `Si no ocurre nada, continúe a ${host}.`,
  goOn: 'Continuar',
  refusedTitle: 'Ha iniciado sesión, pero no le hemos llevado de vuelta',
  refusedLead: 'Esta aplicación no puede enviar a nadie a la dirección desde la que llegó. Si confía en ella, vuelva por su cuenta y avise a quienes administran esta aplicación.',
  refusedHost: (host) => `La dirección estaba en ${host}.`,
  home: 'Ir a la página de inicio',
}
