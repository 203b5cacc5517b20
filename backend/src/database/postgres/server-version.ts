const leastVersion = 15

/** A Postgres that lacks what the project's schemas and the data API are written for. */
export class DatabaseTooOld extends Error {
  constructor(version: string) {
    super(`This Postgres is ${version}; version ${leastVersion} or newer is needed.`)
    this.name = 'DatabaseTooOld'
  }
}

/**
 * @param version as the server names itself: `15.14 (Debian 15.14-1)`.
 * @throws DatabaseTooOld
 */
export function checkServerVersion(version: string): void {
  if (Number.parseInt(version, 10) < leastVersion) throw new DatabaseTooOld(version.split(' ')[0] ?? version)
}
