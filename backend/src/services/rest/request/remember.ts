// Clients repeat their queries; what differs from request to request is values, and those are not parsed here.
const mostEntries = 1_000
const longestText = 4_096

/** Keeps what a parse of short texts gave. Failures are not kept. The results are shared: nobody may change them. */
export function remember<T>(parse: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const parsed = parse(text)
    if (text.length > longestText) return parsed
    if (known.size >= mostEntries) known.clear()
    known.set(text, parsed)
    return parsed
  }
}
