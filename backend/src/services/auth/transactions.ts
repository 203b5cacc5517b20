import type { Database, Transaction, TransactionOptions } from '#database/database.ts'

/** Runs statements in one transaction under the role that owns the auth schema. */
export type Transact = <T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions) => Promise<T>

/** Something outside of the database that a transaction must know before it can go on: the answer of a hook over HTTP. */
export interface OutsideQuestion {
  /** Tells this question from the transaction's others. */
  about: string
  ask(): Promise<unknown>
}

/** What the outside answered. */
export interface OutsideAnswer {
  about: string
  answer: unknown
}

/** Ends a transaction that needs an answer; it is begun anew with it. Nobody but `createTransact` catches it. */
class Unanswered extends Error {
  readonly question: OutsideQuestion

  constructor(question: OutsideQuestion) {
    super(`a transaction needs an answer about ${question.about}`)
    this.name = 'Unanswered'
    this.question = question
  }
}

interface Course {
  answers: OutsideAnswer[]
  whenKept: (() => void | Promise<void>)[]
}

const courses = new WeakMap<Transaction, Course>()

/** More questions than one transaction has. */
const mostQuestions = 6

/**
 * Gives the answer to a question that takes the network, without a transaction waiting for it: the engine may have one connection
 * only, and what is asked may itself come back for a row. The transaction is given up, the question asked, and the work begun anew.
 */
export function askOutside(tx: Transaction, question: OutsideQuestion): Promise<unknown> {
  const course = courses.get(tx)
  const known = course?.answers.find(({ about }) => about === question.about)
  if (known) return Promise.resolve(known.answer)
  // A transaction that was not begun here cannot be begun anew.
  return course ? Promise.reject(new Unanswered(question)) : question.ask()
}

/** Does something once a transaction is kept, and not at all when it is given up. What it gives back is waited for. */
export function whenKept(tx: Transaction, work: () => void | Promise<void>): void {
  courses.get(tx)?.whenKept.push(work)
}

/** Makes the one way into the database. */
export const createTransact =
  (database: Database): Transact =>
  async (work, options) => {
    const answers: OutsideAnswer[] = []
    for (;;) {
      const course: Course = { answers, whenKept: [] }
      try {
        const done = await database.asAdmin(
          'supabase_auth_admin',
          (tx) => {
            courses.set(tx, course)
            return work(tx)
          },
          options,
        )
        for (const one of course.whenKept) await one()
        return done
      } catch (error) {
        if (!(error instanceof Unanswered) || answers.length >= mostQuestions) throw error
        answers.push({ about: error.question.about, answer: await error.question.ask() })
      }
    }
  }
