import type { FileStore } from '#server/platform/files/file-store.ts'

/** Whether a store has a file. The opened stream is closed again. */
export async function isStored(files: FileStore, key: string): Promise<boolean> {
  const stream = await files.get(key)
  stream?.destroy()
  return stream !== undefined
}
