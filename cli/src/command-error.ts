/** A failure the person at the terminal can do something about: its message is all they see, and the exit code is 1. */
export class CommandError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'CommandError'
  }
}
