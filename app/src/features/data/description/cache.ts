import { isDescription, type Description } from './description.ts'

const databaseName = 'portico-descriptions'
const storeName = 'descriptions'

/** The document kept from the last visit; undefined when there is none, or the browser keeps nothing. */
export async function readCached(key: string): Promise<Description | undefined> {
  try {
    const found: unknown = await withStore('readonly', (store) => store.get(key) as IDBRequest<unknown>)
    return isDescription(found) ? found : undefined
  } catch {
    return undefined
  }
}

/** Keeps the document for the next visit. A browser that keeps nothing asks again then. */
export async function writeCached(key: string, description: Description): Promise<void> {
  try {
    await withStore('readwrite', (store) => store.put(description, key))
  } catch {
    return
  }
}

async function withStore<Result>(mode: IDBTransactionMode, ask: (store: IDBObjectStore) => IDBRequest<Result>): Promise<Result> {
  const opening = indexedDB.open(databaseName, 1)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(storeName))
  const database = await settled(opening)
  try {
    return await settled(ask(database.transaction(storeName, mode).objectStore(storeName)))
  } finally {
    database.close()
  }
}

const settled = <Result>(request: IDBRequest<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('The browser keeps nothing')))
  })
