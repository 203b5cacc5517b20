/** What this browser remembers of the invitation to one person. */
interface Remembered {
  /** How often they said "Not now". */
  noes: number
  /** The last time, in milliseconds since the epoch. */
  saidAt: number
  /** Sessions it was seen in and left without an answer, since the last one. */
  unanswered: number
  /** The session it was last seen in. */
  sessionId: string
  /** Taken up in that session: not a no, and not asked again in it. */
  isTaken: boolean
}

export interface NudgeMemory {
  /** Whether it may be shown in this session. */
  isDue: (sessionId: string) => boolean
  noteSeen: (sessionId: string) => void
  noteTaken: (sessionId: string) => void
  noteNo: () => void
}

/** Long enough to be forgotten, short enough that a new device is still new. */
const pauseMs = 30 * 24 * 60 * 60_000
/** The first no may be one to the moment; the second is one to the thing. */
const mostNoes = 2
/** Who has passed it by this often has answered. */
const mostUnanswered = 3

const nothing: Remembered = { noes: 0, saidAt: 0, unanswered: 0, sessionId: '', isTaken: false }

function parse(text: string | null): Remembered {
  try {
    const kept = JSON.parse(text ?? '{}') as Partial<Remembered> | null
    const isAlike = Object.entries(nothing).every(([name, value]) => typeof kept?.[name as keyof Remembered] === typeof value)
    return isAlike ? (kept as Remembered) : nothing
  } catch {
    return nothing
  }
}

/** Kept for one person of one project: who shares the browser is asked for themselves. */
export function createNudgeMemory(person: { projectId: string; userId: string }, storage: Storage, now: () => number = Date.now): NudgeMemory {
  const key = `portico.nudge.${person.projectId}.${person.userId}`
  const read = () => parse(storage.getItem(key))
  const write = (next: Remembered) => storage.setItem(key, JSON.stringify(next))
  const refuse = (kept: Remembered) => write({ ...nothing, noes: kept.noes + 1, saidAt: now() })
  return {
    isDue(sessionId) {
      const { noes, saidAt, sessionId: seenIn, isTaken } = read()
      if (noes >= mostNoes || (noes > 0 && now() - saidAt < pauseMs)) return false
      return !(isTaken && seenIn === sessionId)
    },
    noteSeen(sessionId) {
      const kept = read()
      if (kept.sessionId === sessionId) return
      const unanswered = kept.unanswered + 1
      if (unanswered > mostUnanswered) return refuse(kept)
      write({ ...kept, unanswered, sessionId, isTaken: false })
    },
    noteTaken: (sessionId) => write({ ...read(), sessionId, isTaken: true }),
    noteNo: () => refuse(read()),
  }
}
