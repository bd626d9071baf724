import type { Readable } from 'node:stream'

const KEY = /^[\w-]+(\/[\w-]+)*$/

/**
 * Refuses a key that is not of ours, whoever brings it: one with dots could lead out of the store's folder.
 * @throws Error
 */
export function checkKey(key: string): string {
  if (!KEY.test(key)) throw new Error(`${JSON.stringify(key)} is no key of a file.`)
  return key
}

/** Where the bytes of files lie. Keys are ours: letters, digits and slashes, never a name from outside. */
export interface FileStore {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** The bytes as a stream, or undefined when there are none under this key. */
  get(key: string): Promise<Readable | undefined>
  remove(key: string): Promise<void>
}
