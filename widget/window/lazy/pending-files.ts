/** A file that is not uploaded yet. */
export interface PendingFile {
  id: string
  file: File
  name: string
  seconds?: number
}

/** Stores files so that they survive a reload. Where the browser does not allow it, they last as long as the page. */
export function createPendingFiles(name: string) {
  let opened: Promise<IDBDatabase> | undefined

  function open(): Promise<IDBDatabase> {
    opened ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(name, 1)
      request.onupgradeneeded = () => request.result.createObjectStore('files', { keyPath: 'id' })
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    return opened
  }

  async function work<Result>(mode: IDBTransactionMode, createRequest: (files: IDBObjectStore) => IDBRequest<Result>) {
    try {
      const files = (await open()).transaction('files', mode).objectStore('files')
      const request = createRequest(files)
      return await new Promise<Result | undefined>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    } catch {
      return undefined
    }
  }

  return {
    put: (file: PendingFile) => work('readwrite', (files) => files.put(file)),
    drop: (id: string) => work('readwrite', (files) => files.delete(id)),
    list: async () => (await work<PendingFile[]>('readonly', (files) => files.getAll())) ?? [],
  }
}
