const hidden = '[hidden]'
// Whoever's it is: an access token, an older key, a secret key.
const patterns = [/eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/g, /sb_secret_[\w-]+/g]

/** Makes the function that takes secrets out of a text: those given, as they are, in JSON and in a URL, and whatever looks like a token. */
export function createMask(secrets: readonly string[]): (text: string) => string {
  const spellings = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
  // The longer first: one may be a part of another.
  const values = [...new Set(spellings)].filter((value) => value !== '').toSorted((one, other) => other.length - one.length)
  return (text) => {
    const shown = values.reduce((rest, value) => rest.replaceAll(value, hidden), text)
    return patterns.reduce((rest, pattern) => rest.replaceAll(pattern, hidden), shown)
  }
}
