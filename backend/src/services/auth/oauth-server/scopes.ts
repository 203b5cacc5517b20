/** Every scope an application may ask for. */
export const supportedScopes = ['openid', 'profile', 'email', 'phone', 'offline_access'] as const

/** The scopes of a text that separates them by spaces, in its order, each once. */
export const readScopes = (text: string): string[] => [...new Set(text.split(' ').filter((scope) => scope !== ''))]

export const isSupportedScope = (scope: string): boolean => (supportedScopes as readonly string[]).includes(scope)

/** Whether everything that is asked for was granted before. */
export const coversScopes = (granted: string, asked: string): boolean => {
  const known = new Set(readScopes(granted))
  return readScopes(asked).every((scope) => known.has(scope))
}
