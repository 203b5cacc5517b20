import { Scanner } from './scanner.ts'

/** One statement of a script, without its closing semicolon and without comments before it. */
export interface Statement {
  text: string
  /** Where `text` starts in the script, in UTF-16 units. */
  offset: number
  /** The lines between a `COPY … FROM stdin` and its `\.`, without either. */
  copyData?: string
}

/** A line for psql itself: `\connect postgres`. */
export interface MetaCommand {
  text: string
  offset: number
}

export interface Script {
  statements: readonly Statement[]
  metaCommands: readonly MetaCommand[]
}

const copyFromStdin = /^copy\s[\s\S]*\sfrom\s+stdin\b/i

/**
 * Splits a script as psql does: on semicolons outside of strings, dollar quotes, comments, parentheses and
 * `begin atomic … end` bodies. Backslash lines between statements are psql's own; data lines follow `copy … from stdin`.
 */
export function splitScript(script: string): Script {
  const scanner = new Scanner(script)
  const statements: Statement[] = []
  const metaCommands: MetaCommand[] = []
  for (;;) {
    scanner.skipBlank()
    if (scanner.atEnd) return { statements, metaCommands }
    const offset = scanner.position
    if (scanner.peek() === '\\') metaCommands.push({ text: scanner.takeLine(), offset })
    else {
      const text = scanner.takeStatement()
      if (text === '') continue
      if (copyFromStdin.test(text)) statements.push({ text, offset, copyData: scanner.takeCopyData() })
      else statements.push({ text, offset })
    }
  }
}

/** The 1-based line and column of an offset. */
export function placeOf(script: string, offset: number): { line: number; column: number } {
  const before = script.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
