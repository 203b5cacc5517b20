/** Names to values. An empty value counts as unset, as in the CLI. */
export type Environment = Readonly<Record<string, string | undefined>>

const line = /^\s*(?:export\s+)?([A-Za-z_][\w.]*)\s*[=:]\s*(?:'((?:[^'])*)'|"((?:\\.|[^"\\])*)"|([^\n#]*?))\s*(?:#[^\n]*)?$/gm

const unescape = (text: string): string => text.replace(/\\([nrt"\\$])/g, (_, letter: string) => ({ n: '\n', r: '\r', t: '\t' })[letter] ?? letter)

/** Reads the text of a `.env` file: `NAME=value`, quotes, `export`, comments. */
export function parseDotenv(text: string): Record<string, string> {
  const values: Record<string, string> = {}
  for (const [, name, single, double, bare] of text.replaceAll('\r\n', '\n').matchAll(line)) {
    if (name !== undefined) values[name] = single ?? (double === undefined ? (bare ?? '') : unescape(double))
  }
  return values
}

/** Files that are read, nearest first; an earlier value wins, the process environment over all. */
export const dotenvNames = (stage = 'development'): readonly string[] =>
  [`.env.${stage}.local`, ...(stage === 'test' ? [] : ['.env.local']), `.env.${stage}`, '.env']

/** Puts several environments together, the first winning. */
export function joinEnvironments(layers: readonly Environment[]): Environment {
  const joined: Record<string, string> = {}
  for (const layer of layers.toReversed()) {
    for (const [name, value] of Object.entries(layer)) if (value !== undefined && value !== '') joined[name] = value
  }
  return joined
}
