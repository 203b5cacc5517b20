/** One event of a `text/event-stream`. */
export interface StreamEvent {
  /** `message` unless the function named it. */
  event: string
  data: string
  id: string
  /** Milliseconds from the sending of the request until it was whole. */
  atMs: number
}

/**
 * Reads events as their text comes, whatever the pieces it comes in.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export class EventStream {
  #rest = ''
  #event = ''
  #id = ''
  #data: string[] = []

  /** Gives the events that this piece completes. */
  read(piece: string, atMs: number): StreamEvent[] {
    const text = this.#rest + piece
    // A line end of two characters may be cut in half.
    const lines = text.split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    return lines.flatMap((line) => this.#take(line, atMs))
  }

  #take(line: string, atMs: number): StreamEvent[] {
    if (line === '') return this.#dispatch(atMs)
    const colon = line.indexOf(':')
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#event = value
    else if (field === 'id' && !value.includes('\0')) this.#id = value
    return []
  }

  #dispatch(atMs: number): StreamEvent[] {
    const event = { event: this.#event || 'message', data: this.#data.join('\n'), id: this.#id, atMs }
    const isEmpty = this.#data.length === 0
    this.#event = ''
    this.#data = []
    return isEmpty ? [] : [event]
  }
}
