/** Makes a script wait until no other process that shares the database runs one of its kind; the turn ends with its transaction. */
export const inTurn = (script: string): string => `select pg_advisory_xact_lock(hashtext('portico schema'))\n;${script}`
