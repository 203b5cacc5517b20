import { list } from './forms.ts'

const tryAgain = 'Try again. If it stays like this, tell the people who run this app.'
const tellTheOwner = 'Only the people who run this app can change that. Tell them the code below.'
const startAgain = 'Go back to the sign-in page and start again.'
const signInAgain = 'Sign in again. Your unsaved work is kept in this tab.'
const newCode = 'Check the digits, or send a new code.'
const anotherWay = 'Choose another way to sign in.'
const waitAMinute = 'Wait a minute, then try again.'
const askForAccess = 'If you need it, ask the people who run this app for access.'

const passwordFaults: Readonly<Record<string, string>> = {
  length: 'it is too short',
  characters: 'it lacks some of the required kinds of characters (lower case, upper case, digits, symbols)',
  pwned: 'it has appeared in a data leak and is easy to guess',
}

/** What a person reads for each failure: what happened, and what to do. By the server's code, else by kind. */
export const errors = {
  byCode: {
    // Signing in and up
    invalid_credentials: { title: 'The e-mail address or the password is not right', whatToDo: 'Check both, or set a new password.' },
    email_not_confirmed: { title: 'This address has not been confirmed yet', whatToDo: 'Open the link in the mail we sent, or send a new one.' },
    phone_not_confirmed: { title: 'This phone number has not been confirmed yet', whatToDo: 'Enter the code we sent to it.' },
    user_banned: { title: 'This account is blocked', whatToDo: 'Ask the people who run this app why.' },
    user_not_found: { title: 'This account no longer exists', whatToDo: 'Sign up again, or use another account.' },
    user_already_exists: { title: 'There is already an account with this address', whatToDo: 'Sign in instead, or set a new password if you forgot yours.' },
    email_exists: { title: 'Another account uses this e-mail address', whatToDo: 'Choose another address.' },
    phone_exists: { title: 'Another account uses this phone number', whatToDo: 'Choose another number.' },
    signup_disabled: { title: 'New accounts are closed', whatToDo: 'You need an invitation from the people who run this app.' },
    otp_disabled: { title: 'There is no account with this address', whatToDo: 'Check the spelling, or sign up first.' },
    email_provider_disabled: { title: 'Signing in by e-mail this way is switched off', whatToDo: anotherWay },
    phone_provider_disabled: { title: 'Signing in by phone is switched off', whatToDo: anotherWay },
    anonymous_provider_disabled: { title: 'Guests cannot come in here', whatToDo: 'Sign in with an account.' },
    provider_disabled: { title: 'This way to sign in is switched off', whatToDo: anotherWay },
    provider_email_needs_verification: { title: 'Your e-mail address has to be confirmed first', whatToDo: 'Open the link we have just mailed you.' },
    oauth_provider_not_supported: { title: 'This provider does not work here', whatToDo: anotherWay },
    user_sso_managed: { title: 'Your organisation manages this account', whatToDo: 'Make the change where your organisation keeps your account.' },
    captcha_failed: { title: 'We could not make sure that you are a person', whatToDo: 'Solve the check once more, then try again.' },
    email_address_invalid: { title: 'This e-mail address cannot receive our mail', whatToDo: 'Check the spelling, or use another address.' },
    email_address_not_authorized: { title: 'This project may not send mail to that address', whatToDo: 'Use an address of the team, or tell the people who run this app to set up their own mail server.' },
    email_address_not_provided: { title: 'The provider did not tell us your e-mail address', whatToDo: 'Allow it there, or choose another way to sign in.' },
    access_denied: { title: 'The sign-in was cancelled', whatToDo: 'Try again, or choose another way to sign in.' },
    server_error: { title: 'The provider could not complete the sign-in', whatToDo: tryAgain },

    // Mail links and codes
    otp_expired: { title: 'This code or link is wrong, used or too old', whatToDo: newCode },
    flow_state_not_found: { title: 'This link has already been used', whatToDo: 'Sign in, or send a new one.' },
    flow_state_expired: { title: 'This link is too old', whatToDo: 'Send a new one and open it soon.' },
    flow_state_already_used: { title: 'This link has already been used', whatToDo: 'Sign in, or send a new one.' },
    bad_code_verifier: { title: 'This link was asked for in another browser', whatToDo: 'Open it there, or enter the code from the mail here.' },
    pkce_code_verifier_not_found: { title: 'This link was asked for in another browser', whatToDo: 'Open it there, or enter the code from the mail here.' },
    invite_not_found: { title: 'This invitation is no longer valid', whatToDo: 'Ask for a new one.' },
    bad_oauth_state: { title: 'The sign-in took too long or was started elsewhere', whatToDo: startAgain },
    oauth_invalid_state: { title: 'The sign-in took too long or was started elsewhere', whatToDo: startAgain },
    bad_oauth_callback: { title: 'The provider sent an incomplete answer', whatToDo: startAgain },
    oauth_client_state_not_found: { title: 'The sign-in took too long or was started elsewhere', whatToDo: startAgain },
    oauth_client_state_expired: { title: 'The sign-in took too long', whatToDo: startAgain },
    over_email_send_rate_limit: { title: 'Too many mails in a short time', whatToDo: 'Wait a little before you ask for another one.' },
    over_sms_send_rate_limit: { title: 'Too many text messages in a short time', whatToDo: 'Wait a little before you ask for another one.' },
    over_request_rate_limit: { title: 'Too many attempts', whatToDo: 'Wait a few minutes, then try again.' },
    sms_send_failed: { title: 'The text message could not be sent', whatToDo: 'Check the number, then try again.' },

    // Passwords and changes to the account
    weak_password: { title: 'This password is too easy to guess', whatToDo: 'Choose a longer one.' },
    same_password: { title: 'This is the password you have already', whatToDo: 'Choose another one.' },
    reauthentication_needed: { title: 'We need to make sure it is you', whatToDo: 'Enter the code we have mailed you.' },
    reauthentication_not_valid: { title: 'This code is not right', whatToDo: newCode },
    current_password_required: { title: 'Your current password is needed for this', whatToDo: 'Enter it, then save again.' },
    current_password_invalid: { title: 'The current password is not right', whatToDo: 'Check it, or set a new password by mail.' },
    insufficient_aal: { title: 'This needs your second factor', whatToDo: 'Sign in again with your second factor, then repeat the change.' },

    // The session
    session_not_found: { title: 'You were signed out', whatToDo: signInAgain },
    session_expired: { title: 'Your session has ended', whatToDo: signInAgain },
    refresh_token_not_found: { title: 'You were signed out', whatToDo: signInAgain },
    refresh_token_already_used: { title: 'You were signed out', whatToDo: signInAgain },
    bad_jwt: { title: 'The server does not accept this session', whatToDo: signInAgain },
    invalid_jwt: { title: 'The server does not accept this session', whatToDo: signInAgain },
    no_authorization: { title: 'You need to be signed in for this', whatToDo: 'Sign in, then try again.' },
    unexpected_audience: { title: 'This session belongs to another app', whatToDo: signInAgain },
    portico_session_unready: { title: 'Your session is being renewed', whatToDo: 'Try again in a moment.' },

    // Organisations and other apps
    sso_provider_not_found: { title: 'No organisation uses this address to sign in', whatToDo: 'Check the spelling, or choose another way to sign in.' },
    sso_provider_disabled: { title: 'Signing in through your organisation is switched off', whatToDo: anotherWay },
    sso_domain_already_exists: { title: 'This domain belongs to another organisation already', whatToDo: tellTheOwner },
    saml_provider_disabled: { title: 'Signing in through an organisation is switched off', whatToDo: anotherWay },
    saml_assertion_no_user_id: { title: 'Your organisation did not say who you are', whatToDo: tellTheOwner },
    saml_assertion_no_email: { title: 'Your organisation did not tell us your e-mail address', whatToDo: tellTheOwner },
    saml_metadata_fetch_failed: { title: 'Your organisation’s sign-in could not be reached', whatToDo: tryAgain },
    saml_entity_id_mismatch: { title: 'Your organisation’s sign-in is not set up right', whatToDo: tellTheOwner },
    saml_relay_state_not_found: { title: 'The sign-in took too long or was started elsewhere', whatToDo: startAgain },
    saml_relay_state_expired: { title: 'The sign-in took too long', whatToDo: startAgain },
    saml_idp_not_found: { title: 'Your organisation is not known here', whatToDo: tellTheOwner },
    saml_idp_already_exists: { title: 'This organisation is known already', whatToDo: tellTheOwner },
    web3_provider_disabled: { title: 'Wallets are switched off here', whatToDo: anotherWay },
    web3_unsupported_chain: { title: 'This kind of wallet does not work here', whatToDo: anotherWay },
    oauth_client_not_found: { title: 'The app that sent you is not known here', whatToDo: 'Go back to it and start again.' },
    oauth_authorization_not_found: { title: 'This request is no longer valid', whatToDo: 'Go back to the app that sent you and start again.' },
    oauth_consent_not_found: { title: 'This app has no access any more', whatToDo: 'Reload the page to see which do.' },
    oauth_dynamic_client_registration_disabled: { title: 'Apps cannot register themselves here', whatToDo: tellTheOwner },
    custom_provider_not_found: { title: 'This provider is not known here', whatToDo: anotherWay },
    over_custom_provider_quota: { title: 'No more providers can be added', whatToDo: tellTheOwner },

    // The server itself
    feature_disabled: { title: 'This is switched off here', whatToDo: tellTheOwner },
    not_admin: { title: 'This is for administrators only', whatToDo: askForAccess },
    validation_failed: { title: 'The server could not accept what was entered', whatToDo: 'Check it and try again.' },
    bad_json: { title: 'The server could not read what was sent', whatToDo: tryAgain },
    request_entity_too_large: { title: 'That is too large to be sent', whatToDo: 'Make it smaller and try again.' },
    conflict: { title: 'Something else changed at the same moment', whatToDo: 'Try again.' },
    request_timeout: { title: 'The server took too long', whatToDo: waitAMinute },
    unexpected_failure: { title: 'The server failed', whatToDo: tryAgain },
    unknown: { title: 'The server refused this', whatToDo: tryAgain },
    hook_timeout: { title: 'A check of this project took too long', whatToDo: waitAMinute },
    hook_timeout_after_retry: { title: 'A check of this project took too long', whatToDo: waitAMinute },
    hook_payload_over_size_limit: { title: 'A check of this project could not be made', whatToDo: tellTheOwner },
    hook_payload_invalid_content_type: { title: 'A check of this project could not be made', whatToDo: tellTheOwner },
  } as Readonly<Record<string, { title: string; whatToDo: string }>>,
  byKind: {
    'signed-out': { title: 'You need to be signed in for this', whatToDo: signInAgain },
    forbidden: { title: 'You are not allowed to do this', whatToDo: askForAccess },
    missing: { title: 'This does not exist, or you may not see it', whatToDo: 'It may have been deleted or moved.' },
    conflict: { title: 'This does not fit with what is there already', whatToDo: 'Reload to see the latest, then try again.' },
    invalid: { title: 'The server could not accept what was entered', whatToDo: 'Check it and try again.' },
    busy: { title: 'The server is busy', whatToDo: waitAMinute },
    offline: { title: 'The server cannot be reached', whatToDo: 'Check your connection, then try again. Nothing you entered is lost.' },
    broken: { title: 'The server failed', whatToDo: tryAgain },
  },
  /** `length`, `characters`, `pwned`: the server's own words for what is wrong with a password. */
  weakPassword: (reasons: readonly string[]) => ({
    title: 'This password is too easy to guess',
    whatToDo: reasons.length > 0 ? `Choose another one: ${list(reasons.map((reason) => passwordFaults[reason] ?? reason))}.` : 'Choose a longer one.',
  }),
  waitSeconds: (seconds: number) => ({
    title: 'Too many mails in a short time',
    whatToDo: seconds === 1 ? 'You can ask for another one in 1 second.' : `You can ask for another one in ${seconds} seconds.`,
  }),
  /** What to do when the project's own rule speaks for itself. */
  ownWords: 'This project has set this rule.',
}
