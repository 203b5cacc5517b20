import account from './portico_account.sql'
import describe from './portico_describe.sql'

/** The one migration that gives a hosted project what Portico has built in: `portico_describe()` and the functions of the account. */
export const packSql = `${describe.trim()}\n\n${account.trim()}\n`
