/** How long the ids of shown notifications are kept: longer than push services repeat them. */
const KEPT_MS = 2 * 86_400_000
const STORE = 'received'

/** Whether a notification was shown on this device before. */
export async function hasReceived(id: string): Promise<boolean> {
  const store = await openStore('readonly')
  return (await done(store.get(id))) !== undefined
}

/** Remembers that a notification was shown, and forgets old ones. */
export async function noteReceived(id: string): Promise<void> {
  const store = await openStore('readwrite')
  await done(store.put(Date.now(), id))
  const [ids, times] = await Promise.all([done(store.getAllKeys()), done<number[]>(store.getAll())])
  const old = ids.filter((_, index) => times[index]! < Date.now() - KEPT_MS)
  await Promise.all(old.map((key) => done(store.delete(key))))
}

async function openStore(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const opening = indexedDB.open('parley-notifications', 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
  const database = await done(opening)
  const transaction = database.transaction(STORE, mode)
  transaction.oncomplete = () => database.close()
  return transaction.objectStore(STORE)
}

function done<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}
