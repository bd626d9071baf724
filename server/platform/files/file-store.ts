import type { Readable } from 'node:stream'

const KEY = /^[\w-]+(\/[\w-]+)*$/

/**
 * Refuses an invalid key, wherever it comes from: one with dots could lead out of the store's folder.
 * @throws Error
 */
export function checkKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`${JSON.stringify(key)} is not the key of a file.`)
  return key
}

/** Stores contents of files. Keys are generated: letters, digits and slashes, never a name from outside. */
export interface FileStore {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** A stream of the contents, or undefined if there is no such key. */
  get(key: string): Promise<Readable | undefined>
  remove(key: string): Promise<void>
}
