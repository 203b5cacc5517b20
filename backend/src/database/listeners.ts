import { identifier } from './sql.ts'

type Hear = (payload: string) => void

const listenText = (channel: string): string => `listen ${identifier(channel).text}`

/** Who hears which channel, apart from the session that listens. */
export class Listeners {
  readonly #heard = new Map<string, Set<Hear>>()

  /** `run` is given `listen` for a channel's first listener and `unlisten` after its last. */
  async add(channel: string, hear: Hear, run: (text: string) => Promise<void>): Promise<() => Promise<void>> {
    // Its own function, so that the same one may listen twice.
    const own: Hear = (payload) => hear(payload)
    const others = this.#heard.get(channel)
    this.#heard.set(channel, (others ?? new Set<Hear>()).add(own))
    await run(listenText(channel))
    return async () => {
      const left = this.#heard.get(channel)
      if (!left?.delete(own) || left.size > 0) return
      this.#heard.delete(channel)
      await run(`un${listenText(channel)}`)
    }
  }

  notify(channel: string, payload: string): void {
    for (const hear of this.#heard.get(channel) ?? []) hear(payload)
  }

  /** Tells every listener, with an empty payload, that something may have been missed. */
  notifyAll(): void {
    for (const channel of this.#heard.keys()) this.notify(channel, '')
  }

  /** What a new session must run to hear the same. */
  channels(): string[] {
    return [...this.#heard.keys()].map(listenText)
  }
}
