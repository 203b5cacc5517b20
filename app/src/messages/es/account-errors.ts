import type { accountErrors as English } from '#messages/en/account-errors.ts'

export const accountErrors: typeof English = {
  portico_signed_out: { title: 'Su sesión ha terminado', whatToDo: 'Inicie sesión de nuevo. Lo que no se guardó se conserva en esta pestaña.' },
  portico_not_for_guests: { title: 'Los invitados no pueden hacer esto', whatToDo: 'Guarde primero su cuenta: añada un correo electrónico o un número de teléfono.' },
  portico_not_for_apps: { title: 'Una aplicación no puede hacer esto por usted', whatToDo: 'Inicie sesión personalmente, en su navegador.' },
  portico_fresh_proof_needed: { title: 'Hace demasiado tiempo que inició sesión para hacer esto', whatToDo: 'Cierre sesión, iníciela de nuevo y repítalo antes de que pasen 15 minutos.' },
  portico_second_factor_needed: { title: 'Esto requiere su segundo factor', whatToDo: 'Escriba un código de ese factor y repítalo antes de que pasen 15 minutos.' },
  portico_session_not_found: { title: 'Esta sesión ya ha terminado', whatToDo: 'No queda nada por hacer.' },
  portico_account_in_use: { title: 'Antes hay que resolver qué pasa con las filas que le pertenecen', whatToDo: 'Elimínelas o páselas a otra persona e inténtelo de nuevo.' },
  portico_photos_not_public: { title: 'Aquí no se pueden mostrar fotos', whatToDo: 'El bucket que las guarda no es público. Avise a quienes administran esta aplicación.' },
}
