import type { errors as English } from '#messages/en/errors.ts'
import { list } from './forms.ts'

const tryAgain = 'Versuchen Sie es noch einmal. Bleibt es so, sagen Sie den Betreibern dieser App Bescheid.'
const tellTheOwner = 'Das können nur die Betreiber dieser App ändern. Nennen Sie ihnen den Code unten.'
const startAgain = 'Gehen Sie zurück zur Anmeldung und beginnen Sie von vorn.'
const signInAgain = 'Melden Sie sich wieder an. Was Sie noch nicht gespeichert haben, bleibt in diesem Tab erhalten.'
const newCode = 'Prüfen Sie die Ziffern oder lassen Sie sich einen neuen Code schicken.'
const anotherWay = 'Wählen Sie einen anderen Weg, sich anzumelden.'
const waitAMinute = 'Warten Sie eine Minute und versuchen Sie es dann noch einmal.'
const askForAccess = 'Wenn Sie es brauchen, bitten Sie die Betreiber dieser App um Zugriff.'

const passwordFaults: Readonly<Record<string, string>> = {
  length: 'es ist zu kurz',
  characters: 'es fehlen vorgeschriebene Arten von Zeichen (Klein- und Großbuchstaben, Ziffern, Sonderzeichen)',
  pwned: 'es ist aus einem Datenleck bekannt und leicht zu erraten',
}

export const errors: typeof English = {
  byCode: {
    invalid_credentials: { title: 'E-Mail-Adresse oder Passwort stimmen nicht', whatToDo: 'Prüfen Sie beides oder legen Sie ein neues Passwort fest.' },
    email_not_confirmed: { title: 'Diese Adresse ist noch nicht bestätigt', whatToDo: 'Öffnen Sie den Link in unserer E-Mail oder lassen Sie sich einen neuen schicken.' },
    phone_not_confirmed: { title: 'Diese Telefonnummer ist noch nicht bestätigt', whatToDo: 'Geben Sie den Code ein, den wir an sie geschickt haben.' },
    user_banned: { title: 'Dieses Konto ist gesperrt', whatToDo: 'Fragen Sie die Betreiber dieser App nach dem Grund.' },
    user_not_found: { title: 'Dieses Konto gibt es nicht mehr', whatToDo: 'Registrieren Sie sich neu oder nutzen Sie ein anderes Konto.' },
    user_already_exists: { title: 'Zu dieser Adresse gibt es schon ein Konto', whatToDo: 'Melden Sie sich an, oder legen Sie ein neues Passwort fest, wenn Sie Ihres vergessen haben.' },
    email_exists: { title: 'Ein anderes Konto nutzt diese E-Mail-Adresse', whatToDo: 'Wählen Sie eine andere Adresse.' },
    phone_exists: { title: 'Ein anderes Konto nutzt diese Telefonnummer', whatToDo: 'Wählen Sie eine andere Nummer.' },
    signup_disabled: { title: 'Neue Konten sind nicht möglich', whatToDo: 'Sie brauchen eine Einladung der Betreiber dieser App.' },
    otp_disabled: { title: 'Zu dieser Adresse gibt es kein Konto', whatToDo: 'Prüfen Sie die Schreibweise oder registrieren Sie sich zuerst.' },
    email_provider_disabled: { title: 'Diese Anmeldung per E-Mail ist abgeschaltet', whatToDo: anotherWay },
    phone_provider_disabled: { title: 'Die Anmeldung per Telefon ist abgeschaltet', whatToDo: anotherWay },
    anonymous_provider_disabled: { title: 'Gäste haben hier keinen Zutritt', whatToDo: 'Melden Sie sich mit einem Konto an.' },
    provider_disabled: { title: 'Dieser Weg zur Anmeldung ist abgeschaltet', whatToDo: anotherWay },
    provider_email_needs_verification: { title: 'Ihre E-Mail-Adresse muss erst bestätigt werden', whatToDo: 'Öffnen Sie den Link, den wir Ihnen gerade geschickt haben.' },
    oauth_provider_not_supported: { title: 'Dieser Anbieter funktioniert hier nicht', whatToDo: anotherWay },
    user_sso_managed: { title: 'Ihre Organisation verwaltet dieses Konto', whatToDo: 'Ändern Sie es dort, wo Ihre Organisation Ihr Konto führt.' },
    captcha_failed: { title: 'Wir konnten nicht feststellen, dass Sie ein Mensch sind', whatToDo: 'Lösen Sie die Prüfung noch einmal und versuchen Sie es dann erneut.' },
    email_address_invalid: { title: 'Diese E-Mail-Adresse kann unsere E-Mails nicht empfangen', whatToDo: 'Prüfen Sie die Schreibweise oder nehmen Sie eine andere Adresse.' },
    email_address_not_authorized: { title: 'Dieses Projekt darf nicht an diese Adresse schreiben', whatToDo: 'Nehmen Sie eine Adresse des Teams, oder bitten Sie die Betreiber dieser App, einen eigenen Mailserver einzurichten.' },
    email_address_not_provided: { title: 'Der Anbieter hat uns Ihre E-Mail-Adresse nicht mitgeteilt', whatToDo: 'Erlauben Sie es dort oder wählen Sie einen anderen Weg zur Anmeldung.' },
    access_denied: { title: 'Die Anmeldung wurde abgebrochen', whatToDo: 'Versuchen Sie es noch einmal oder wählen Sie einen anderen Weg.' },
    server_error: { title: 'Der Anbieter konnte die Anmeldung nicht abschließen', whatToDo: tryAgain },

    otp_expired: { title: 'Dieser Code oder Link ist falsch, schon benutzt oder zu alt', whatToDo: newCode },
    flow_state_not_found: { title: 'Dieser Link wurde schon benutzt', whatToDo: 'Melden Sie sich an oder lassen Sie sich einen neuen schicken.' },
    flow_state_expired: { title: 'Dieser Link ist zu alt', whatToDo: 'Lassen Sie sich einen neuen schicken und öffnen Sie ihn bald.' },
    flow_state_already_used: { title: 'Dieser Link wurde schon benutzt', whatToDo: 'Melden Sie sich an oder lassen Sie sich einen neuen schicken.' },
    bad_code_verifier: { title: 'Dieser Link wurde in einem anderen Browser angefordert', whatToDo: 'Öffnen Sie ihn dort oder geben Sie hier den Code aus der E-Mail ein.' },
    pkce_code_verifier_not_found: { title: 'Dieser Link wurde in einem anderen Browser angefordert', whatToDo: 'Öffnen Sie ihn dort oder geben Sie hier den Code aus der E-Mail ein.' },
    invite_not_found: { title: 'Diese Einladung gilt nicht mehr', whatToDo: 'Bitten Sie um eine neue.' },
    bad_oauth_state: { title: 'Die Anmeldung hat zu lange gedauert oder begann anderswo', whatToDo: startAgain },
    oauth_invalid_state: { title: 'Die Anmeldung hat zu lange gedauert oder begann anderswo', whatToDo: startAgain },
    bad_oauth_callback: { title: 'Der Anbieter hat unvollständig geantwortet', whatToDo: startAgain },
    oauth_client_state_not_found: { title: 'Die Anmeldung hat zu lange gedauert oder begann anderswo', whatToDo: startAgain },
    oauth_client_state_expired: { title: 'Die Anmeldung hat zu lange gedauert', whatToDo: startAgain },
    over_email_send_rate_limit: { title: 'Zu viele E-Mails in kurzer Zeit', whatToDo: 'Warten Sie etwas, bevor Sie die nächste anfordern.' },
    over_sms_send_rate_limit: { title: 'Zu viele SMS in kurzer Zeit', whatToDo: 'Warten Sie etwas, bevor Sie die nächste anfordern.' },
    over_request_rate_limit: { title: 'Zu viele Versuche', whatToDo: 'Warten Sie einige Minuten und versuchen Sie es dann noch einmal.' },
    sms_send_failed: { title: 'Die SMS konnte nicht verschickt werden', whatToDo: 'Prüfen Sie die Nummer und versuchen Sie es noch einmal.' },

    weak_password: { title: 'Dieses Passwort ist zu leicht zu erraten', whatToDo: 'Wählen Sie ein längeres.' },
    same_password: { title: 'Dieses Passwort haben Sie schon', whatToDo: 'Wählen Sie ein anderes.' },
    reauthentication_needed: { title: 'Wir müssen sicher sein, dass Sie es sind', whatToDo: 'Geben Sie den Code ein, den wir Ihnen geschickt haben.' },
    reauthentication_not_valid: { title: 'Dieser Code stimmt nicht', whatToDo: newCode },
    current_password_required: { title: 'Dafür brauchen wir Ihr jetziges Passwort', whatToDo: 'Geben Sie es ein und speichern Sie noch einmal.' },
    current_password_invalid: { title: 'Das jetzige Passwort stimmt nicht', whatToDo: 'Prüfen Sie es oder legen Sie per E-Mail ein neues fest.' },
    insufficient_aal: { title: 'Dafür brauchen Sie Ihren zweiten Faktor', whatToDo: 'Melden Sie sich mit dem zweiten Faktor neu an und wiederholen Sie die Änderung.' },

    session_not_found: { title: 'Sie wurden abgemeldet', whatToDo: signInAgain },
    session_expired: { title: 'Ihre Sitzung ist abgelaufen', whatToDo: signInAgain },
    refresh_token_not_found: { title: 'Sie wurden abgemeldet', whatToDo: signInAgain },
    refresh_token_already_used: { title: 'Sie wurden abgemeldet', whatToDo: signInAgain },
    bad_jwt: { title: 'Der Server erkennt diese Sitzung nicht an', whatToDo: signInAgain },
    invalid_jwt: { title: 'Der Server erkennt diese Sitzung nicht an', whatToDo: signInAgain },
    no_authorization: { title: 'Dafür müssen Sie angemeldet sein', whatToDo: 'Melden Sie sich an und versuchen Sie es dann noch einmal.' },
    unexpected_audience: { title: 'Diese Sitzung gehört zu einer anderen App', whatToDo: signInAgain },
    portico_session_unready: { title: 'Ihre Sitzung wird gerade erneuert', whatToDo: 'Versuchen Sie es gleich noch einmal.' },

    sso_provider_not_found: { title: 'Keine Organisation meldet sich mit dieser Adresse an', whatToDo: 'Prüfen Sie die Schreibweise oder wählen Sie einen anderen Weg.' },
    sso_provider_disabled: { title: 'Die Anmeldung über Ihre Organisation ist abgeschaltet', whatToDo: anotherWay },
    sso_domain_already_exists: { title: 'Diese Domain gehört schon zu einer anderen Organisation', whatToDo: tellTheOwner },
    saml_provider_disabled: { title: 'Die Anmeldung über eine Organisation ist abgeschaltet', whatToDo: anotherWay },
    saml_assertion_no_user_id: { title: 'Ihre Organisation hat nicht gesagt, wer Sie sind', whatToDo: tellTheOwner },
    saml_assertion_no_email: { title: 'Ihre Organisation hat uns Ihre E-Mail-Adresse nicht mitgeteilt', whatToDo: tellTheOwner },
    saml_metadata_fetch_failed: { title: 'Die Anmeldung Ihrer Organisation war nicht erreichbar', whatToDo: tryAgain },
    saml_entity_id_mismatch: { title: 'Die Anmeldung Ihrer Organisation ist falsch eingerichtet', whatToDo: tellTheOwner },
    saml_relay_state_not_found: { title: 'Die Anmeldung hat zu lange gedauert oder begann anderswo', whatToDo: startAgain },
    saml_relay_state_expired: { title: 'Die Anmeldung hat zu lange gedauert', whatToDo: startAgain },
    saml_idp_not_found: { title: 'Ihre Organisation ist hier nicht bekannt', whatToDo: tellTheOwner },
    saml_idp_already_exists: { title: 'Diese Organisation ist schon bekannt', whatToDo: tellTheOwner },
    web3_provider_disabled: { title: 'Wallets sind hier abgeschaltet', whatToDo: anotherWay },
    web3_unsupported_chain: { title: 'Diese Art Wallet funktioniert hier nicht', whatToDo: anotherWay },
    oauth_client_not_found: { title: 'Die App, von der Sie kommen, ist hier nicht bekannt', whatToDo: 'Gehen Sie zu ihr zurück und beginnen Sie von vorn.' },
    oauth_authorization_not_found: { title: 'Diese Anfrage gilt nicht mehr', whatToDo: 'Gehen Sie zur App zurück, von der Sie kommen, und beginnen Sie von vorn.' },
    oauth_consent_not_found: { title: 'Diese App hat keinen Zugriff mehr', whatToDo: 'Laden Sie die Seite neu, um zu sehen, welche ihn haben.' },
    oauth_dynamic_client_registration_disabled: { title: 'Apps können sich hier nicht selbst anmelden', whatToDo: tellTheOwner },
    custom_provider_not_found: { title: 'Dieser Anbieter ist hier nicht bekannt', whatToDo: anotherWay },
    over_custom_provider_quota: { title: 'Mehr Anbieter sind nicht möglich', whatToDo: tellTheOwner },

    feature_disabled: { title: 'Das ist hier abgeschaltet', whatToDo: tellTheOwner },
    not_admin: { title: 'Das dürfen nur Administratoren', whatToDo: askForAccess },
    validation_failed: { title: 'Der Server konnte die Eingabe nicht annehmen', whatToDo: 'Prüfen Sie sie und versuchen Sie es noch einmal.' },
    bad_json: { title: 'Der Server konnte die Anfrage nicht lesen', whatToDo: tryAgain },
    request_entity_too_large: { title: 'Das ist zu groß zum Senden', whatToDo: 'Verkleinern Sie es und versuchen Sie es noch einmal.' },
    conflict: { title: 'Im selben Moment hat sich etwas anderes geändert', whatToDo: 'Versuchen Sie es noch einmal.' },
    request_timeout: { title: 'Der Server hat zu lange gebraucht', whatToDo: waitAMinute },
    unexpected_failure: { title: 'Im Server ist ein Fehler aufgetreten', whatToDo: tryAgain },
    unknown: { title: 'Der Server hat das abgelehnt', whatToDo: tryAgain },
    hook_timeout: { title: 'Eine Prüfung dieses Projekts hat zu lange gedauert', whatToDo: waitAMinute },
    hook_timeout_after_retry: { title: 'Eine Prüfung dieses Projekts hat zu lange gedauert', whatToDo: waitAMinute },
    hook_payload_over_size_limit: { title: 'Eine Prüfung dieses Projekts war nicht möglich', whatToDo: tellTheOwner },
    hook_payload_invalid_content_type: { title: 'Eine Prüfung dieses Projekts war nicht möglich', whatToDo: tellTheOwner },
  },
  byKind: {
    'signed-out': { title: 'Dafür müssen Sie angemeldet sein', whatToDo: signInAgain },
    forbidden: { title: 'Das dürfen Sie nicht', whatToDo: askForAccess },
    missing: { title: 'Das gibt es nicht, oder Sie dürfen es nicht sehen', whatToDo: 'Vielleicht wurde es gelöscht oder verschoben.' },
    conflict: { title: 'Das passt nicht zu dem, was schon da ist', whatToDo: 'Laden Sie den neuesten Stand und versuchen Sie es noch einmal.' },
    invalid: { title: 'Der Server konnte die Eingabe nicht annehmen', whatToDo: 'Prüfen Sie sie und versuchen Sie es noch einmal.' },
    busy: { title: 'Der Server ist ausgelastet', whatToDo: waitAMinute },
    offline: { title: 'Der Server ist nicht erreichbar', whatToDo: 'Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal. Ihre Eingaben bleiben erhalten.' },
    broken: { title: 'Im Server ist ein Fehler aufgetreten', whatToDo: tryAgain },
  },
  weakPassword: (reasons) => ({
    title: 'Dieses Passwort ist zu leicht zu erraten',
    whatToDo: reasons.length > 0 ? `Wählen Sie ein anderes: ${list(reasons.map((reason) => passwordFaults[reason] ?? reason))}.` : 'Wählen Sie ein längeres.',
  }),
  waitSeconds: (seconds) => ({
    title: 'Zu viele E-Mails in kurzer Zeit',
    whatToDo: seconds === 1 ? 'In einer Sekunde können Sie die nächste anfordern.' : `In ${seconds} Sekunden können Sie die nächste anfordern.`,
  }),
  ownWords: 'Diese Regel hat das Projekt festgelegt.',
}
