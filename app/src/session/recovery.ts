/** Remembers that a session was opened by a recovery mail, in every tab and across reloads. */
export interface RecoveryFlag {
  isSet(sessionId: string): boolean
  set(sessionId: string): void
  clear(): void
}

/** The client's own PASSWORD_RECOVERY event is missed by other tabs and by reloads; this flag is not. */
export function createRecoveryFlag(projectId: string, storage: Storage): RecoveryFlag {
  const key = `portico.recovering.${projectId}`
  return {
    isSet: (sessionId) => sessionId !== '' && storage.getItem(key) === sessionId,
    set: (sessionId) => storage.setItem(key, sessionId),
    clear: () => storage.removeItem(key),
  }
}
