import type { Readable } from 'node:stream'

/** Where the bytes of files lie. Keys are ours: letters, digits and slashes, never a name from outside. */
export interface FileStore {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** The bytes as a stream, or undefined when there are none under this key. */
  get(key: string): Promise<Readable | undefined>
  remove(key: string): Promise<void>
}
