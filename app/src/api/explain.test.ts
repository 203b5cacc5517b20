import { describe, expect, it } from 'vitest'
import { errors as german } from '#messages/de/errors.ts'
import { errors as english } from '#messages/en/errors.ts'
import { insideErrors as germanInside } from '#messages/de/inside-errors.ts'
import { insideErrors as englishInside } from '#messages/en/inside-errors.ts'
import { refusals as germanRefusals } from '#messages/de/refusals.ts'
import { refusals as englishRefusals } from '#messages/en/refusals.ts'
import { explain } from './explain.ts'
import { toAppError } from './unwrap.ts'

/** supabase/auth `internal/api/apierrors/errorcode.go`, and the four of newer servers. */
const authCodes = `bad_json validation_failed refresh_token_not_found refresh_token_already_used flow_state_already_used
  oauth_invalid_state bad_oauth_state bad_oauth_callback oauth_provider_not_supported captcha_failed saml_assertion_no_user_id
  saml_assertion_no_email saml_metadata_fetch_failed saml_entity_id_mismatch sso_domain_already_exists provider_disabled
  reauthentication_needed current_password_required current_password_invalid bad_code_verifier hook_payload_invalid_content_type
  invalid_credentials email_address_not_authorized email_address_invalid web3_unsupported_chain over_custom_provider_quota
  webauthn_challenge_not_found webauthn_challenge_expired webauthn_verification_failed no_authorization insufficient_aal bad_jwt
  not_admin session_not_found session_expired user_banned unexpected_audience mfa_verification_rejected otp_expired
  oauth_dynamic_client_registration_disabled user_not_found flow_state_not_found invite_not_found mfa_factor_not_found
  saml_provider_disabled manual_linking_disabled saml_relay_state_not_found saml_idp_not_found sso_provider_not_found
  sso_provider_disabled feature_disabled oauth_client_not_found oauth_authorization_not_found oauth_consent_not_found
  custom_provider_not_found passkey_disabled conflict request_entity_too_large over_request_rate_limit over_email_send_rate_limit
  over_sms_send_rate_limit unexpected_failure request_timeout email_exists phone_exists flow_state_expired
  oauth_client_state_not_found oauth_client_state_expired signup_disabled provider_email_needs_verification
  single_identity_not_deletable email_conflict_identity_not_deletable identity_already_exists email_provider_disabled
  phone_provider_disabled too_many_enrolled_mfa_factors mfa_factor_name_conflict mfa_ip_address_mismatch mfa_challenge_expired
  mfa_verification_failed sms_send_failed email_not_confirmed phone_not_confirmed saml_relay_state_expired user_already_exists
  saml_idp_already_exists user_sso_managed same_password reauthentication_not_valid otp_disabled identity_not_found weak_password
  anonymous_provider_disabled hook_timeout hook_timeout_after_retry hook_payload_over_size_limit mfa_phone_enroll_not_enabled
  mfa_phone_verify_not_enabled mfa_totp_enroll_not_enabled mfa_totp_verify_not_enabled mfa_webauthn_enroll_not_enabled
  mfa_webauthn_verify_not_enabled mfa_verified_factor_exists web3_provider_disabled too_many_passkeys webauthn_credential_exists
  unknown email_address_not_provided webauthn_credential_not_found mfa_recovery_codes_enroll_not_enabled
  mfa_recovery_codes_verify_not_enabled mfa_recovery_codes_sole_factor mfa_recovery_codes_locked`.split(/\s+/)

describe.each([
  ['English', { ...english.byCode, ...englishRefusals, ...englishInside }],
  ['German', { ...german.byCode, ...germanRefusals, ...germanInside }],
])('the catalogue in %s', (_language, words) => {
  it('has words for every code the auth service can send', () => {
    expect(authCodes.filter((code) => !words[code])).toEqual([])
  })

  it('says what happened and what to do, in plain sentences', () => {
    for (const { title, whatToDo } of Object.values(words)) {
      expect(title).toMatch(/[^.!]$/)
      expect(whatToDo).toMatch(/\.$/)
      expect(title + whatToDo).not.toMatch(/!|oops|something went wrong/i)
    }
  })

  it('knows the same codes as every other language', () => {
    expect(Object.keys(words).sort()).toEqual(Object.keys({ ...english.byCode, ...englishRefusals, ...englishInside }).sort())
  })
})

describe('an explanation', () => {
  it('names what is wrong with a weak password', () => {
    const error = toAppError({ name: 'AuthWeakPasswordError', message: 'weak', status: 422, reasons: ['length', 'pwned'] })
    expect(explain(error, english).whatToDo).toBe(
      'Choose another one: it is too short and it has appeared in a data leak and is easy to guess.',
    )
  })

  it('counts the seconds the server asks for', () => {
    const error = toAppError({ message: 'For security purposes, you can only request this after 37 seconds.', status: 429, code: 'over_email_send_rate_limit' })
    expect(explain(error, english).whatToDo).toContain('37 seconds')
  })

  it('lets the project’s own rules speak', () => {
    const error = toAppError({ message: 'A closed ticket cannot be edited', code: 'P0001', hint: 'Reopen it first.' }, 400)
    expect(explain(error, english)).toMatchObject({ title: 'A closed ticket cannot be edited', whatToDo: 'Reopen it first.' })
  })

  it('never shows a page of markup as a sentence', () => {
    const error = toAppError({ message: '<html><h1>Bad request</h1></html>' }, 400)
    expect(explain(error, english).title).toBe(english.byKind.invalid.title)
  })

  it('is not fooled by a code named like a property every object has', () => {
    expect(explain(toAppError({ code: 'constructor', message: '', status: 400 }), english).title).toBe(english.byKind.invalid.title)
  })
})

describe('the kind of a failure', () => {
  it.each([
    [{ message: 'TypeError: Failed to fetch', code: '' }, 0, 'offline'],
    [{ message: 'no', code: '42501' }, 403, 'forbidden'],
    [{ message: 'no', code: '42501' }, 401, 'forbidden'],
    [{ message: 'dup', code: '23505' }, 409, 'conflict'],
    [{ message: 'null', code: '23502' }, 400, 'invalid'],
    [{ message: 'text', code: '22P02' }, 400, 'invalid'],
    [{ message: 'none', code: 'PGRST116' }, 406, 'missing'],
    [{ message: 'expired', code: 'PGRST303' }, 401, 'signed-out'],
    [{ message: 'not found', statusCode: '404', status: 400 }, 400, 'missing'],
    [{ message: 'x', context: { status: 429 } }, undefined, 'busy'],
    [{ message: 'boom', status: 500 }, undefined, 'broken'],
    [{ name: 'AuthSessionMissingError', message: 'Auth session missing!', status: 400 }, undefined, 'signed-out'],
    [{ name: 'AuthRetryableFetchError', message: 'Failed to fetch', status: 0 }, undefined, 'offline'],
  ] as const)('of %j beside status %s is %s', (error, status, kind) => {
    expect(toAppError(error, status).kind).toBe(kind)
  })
})
