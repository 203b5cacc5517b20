/** A path with its query as people read it: `%2C` is a comma. What cannot be decoded stands as it is. */
export function shownPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
