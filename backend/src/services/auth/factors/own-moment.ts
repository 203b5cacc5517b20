import { DatabaseError } from '#database/database-error.ts'

const mostTries = 4

/** Does work that notes when a factor was asked: the hosted schema wants no two of all factors asked in one microsecond. */
export async function inOwnMoment<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.sqlstate !== '23505' || tried === mostTries) throw error
    }
  }
}
