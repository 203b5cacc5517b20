/** Set where the browser has refused this origin's passkeys: they are bound to another. */
const refusedKey = 'portico.no-passkeys'

/** A passkey belongs to a name: no browser takes one at `127.0.0.1` or `[::1]`. */
const isNumber = /^[\d.]+$|^\[/

/** Whether passkeys can be made and used at this page's address, as far as is known before trying. */
export const takesPasskeys = (page: Window = window): boolean =>
  'PublicKeyCredential' in page && !isNumber.test(page.location.hostname) && localStorage.getItem(refusedKey) === null

/** The browser has refused them here: offered again, they would only be refused again. */
export const noteNoPasskeys = (): void => localStorage.setItem(refusedKey, '1')
