import type { nudge as English } from '#messages/en/nudge.ts'

export const nudge: typeof English = {
  label: 'Sugerencia',
  passkey: 'La próxima vez, inicie sesión con la cara, la huella o el PIN del dispositivo.',
  addPasskey: 'Añadir una llave de acceso',
  passkeyAdded: 'Su llave de acceso está lista. La próxima vez, elíjala al iniciar sesión.',
  secondStep: 'Un segundo paso al iniciar sesión protege su cuenta aunque alguien tenga su contraseña.',
  addSecondStep: 'Configurar un segundo paso',
  later: 'Ahora no',
}
