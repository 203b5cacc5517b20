/** Where the accounts rest that are not in use, by the name of the session cookie. */
export const keptAccountsKey = (cookieName: string) => `portico.accounts.${cookieName}`

/** Whether there are any: what the door has to know before it fetches more. */
export const hasKeptAccounts = (cookieName: string, storage: Pick<Storage, 'getItem'> = localStorage): boolean => storage.getItem(keptAccountsKey(cookieName)) !== null
