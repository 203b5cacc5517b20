// Waiting alone does not tell a session what the one before it made: only the lock of a relation makes it look.
const takeTurn = "select pg_advisory_xact_lock(hashtext('portico schema'))\n;select from pg_catalog.pg_namespace limit 0"

/** Makes a script wait until no other process that shares the database runs one of its kind; the turn ends with its transaction. */
export const inTurn = (script: string): string => `${takeTurn}\n;${script}`
