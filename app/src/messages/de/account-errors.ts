import type { accountErrors as English } from '#messages/en/account-errors.ts'

export const accountErrors: typeof English = {
  portico_signed_out: { title: 'Ihre Sitzung ist abgelaufen', whatToDo: 'Melden Sie sich neu an. Ungespeichertes bleibt in diesem Tab erhalten.' },
  portico_not_for_guests: { title: 'Gäste können das nicht', whatToDo: 'Sichern Sie zuerst Ihr Konto: Geben Sie eine E-Mail-Adresse oder eine Telefonnummer an.' },
  portico_not_for_apps: { title: 'Eine App kann das nicht für Sie tun', whatToDo: 'Melden Sie sich selbst an, in Ihrem Browser.' },
  portico_fresh_proof_needed: { title: 'Ihre Anmeldung ist dafür zu lange her', whatToDo: 'Melden Sie sich ab und wieder an, und wiederholen Sie es innerhalb von 15 Minuten.' },
  portico_second_factor_needed: { title: 'Dafür wird Ihr zweiter Faktor gebraucht', whatToDo: 'Bestätigen Sie es mit ihm, und wiederholen Sie es innerhalb von 15 Minuten.' },
  portico_session_not_found: { title: 'Diese Sitzung ist schon beendet', whatToDo: 'Es ist nichts mehr zu tun.' },
  portico_account_in_use: { title: 'Es gibt noch Zeilen, die Ihnen gehören', whatToDo: 'Löschen Sie sie oder übertragen Sie sie jemand anderem, und versuchen Sie es dann noch einmal.' },
  portico_photos_not_public: { title: 'Fotos können hier nicht angezeigt werden', whatToDo: 'Der Bucket dafür ist nicht öffentlich. Wenden Sie sich an die Betreiber dieser App.' },
}
