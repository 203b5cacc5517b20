/**
 * Puts storage that lasts for the page where the browser refuses the real one (cookies blocked for the site). Its getter
 * throws then, in our code and in every library's; with this the app starts, and says what is wrong on its own screen.
 */
export function replaceRefusedStorage(page: Window): void {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    if (isRefused(page, name)) Object.defineProperty(page, name, { configurable: true, value: createPageStorage() })
  }
}

function isRefused(page: Window, name: 'localStorage' | 'sessionStorage'): boolean {
  try {
    return !page[name]
  } catch {
    return true
  }
}

function createPageStorage(): Storage {
  const values = new Map<string, string>()
  return {
    get length() {
      return values.size
    },
    clear: () => values.clear(),
    getItem: (key) => values.get(key) ?? null,
    key: (index) => [...values.keys()][index] ?? null,
    removeItem: (key) => void values.delete(key),
    setItem: (key, value) => void values.set(key, String(value)),
  }
}
