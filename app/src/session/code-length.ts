/** How long this project's mailed codes are, once one has worked: projects set six to ten digits, and tell nobody. */
export interface CodeLength {
  known(): number | undefined
  remember(digits: number): void
}

export const shortestCode = 6
export const longestCode = 10

/** Kept per project in `storage`. */
export function createCodeLength(projectId: string, storage: Pick<Storage, 'getItem' | 'setItem'>): CodeLength {
  const key = `portico.code-length.${projectId}`
  return {
    known() {
      const digits = Number(storage.getItem(key) ?? Number.NaN)
      return Number.isInteger(digits) && digits >= shortestCode && digits <= longestCode ? digits : undefined
    },
    remember: (digits) => storage.setItem(key, String(digits)),
  }
}
