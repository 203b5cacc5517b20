/** Which way this browser came in last, to mark it at the door. */
export interface LastWay {
  /** `password`, `email`, `phone`, `passkey`, `sso`, `guest`, `provider:google`, `wallet:ethereum`. */
  known(): string | undefined
  /** A way is tried in this tab; it may lead over another site, and it may fail. */
  begin(way: string): void
  /** The way begun last let the person in. */
  confirm(): void
}

/** Kept per project: what is begun in `tabStorage`, what worked in `storage`. */
export function createLastWay(projectId: string, storage: Storage, tabStorage: Storage): LastWay {
  const key = `portico.last-way.${projectId}`
  return {
    known: () => storage.getItem(key) ?? undefined,
    begin: (way) => tabStorage.setItem(key, way),
    confirm() {
      const begun = tabStorage.getItem(key)
      if (begun === null) return
      storage.setItem(key, begun)
      tabStorage.removeItem(key)
    },
  }
}
