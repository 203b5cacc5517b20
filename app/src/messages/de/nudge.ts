import type { nudge as English } from '#messages/en/nudge.ts'

export const nudge: typeof English = {
  label: 'Vorschlag',
  passkey: 'Melden Sie sich künftig mit Gesicht, Fingerabdruck oder Geräte-PIN an.',
  addPasskey: 'Passkey hinzufügen',
  passkeyAdded: 'Ihr Passkey ist bereit. Wählen Sie ihn beim nächsten Anmelden.',
  secondStep: 'Ein zweiter Schritt beim Anmelden hält andere fern, selbst wenn sie Ihr Passwort haben.',
  addSecondStep: 'Zweiten Schritt einrichten',
  later: 'Nicht jetzt',
}
