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

/** Part of a file's contents: the positions of its first and last byte. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * The store does not work: it cannot be reached, or refuses us. The message is a sentence for the operator. It has a class
 * of its own because its system errors would otherwise be taken for those of the database.
 */
export class StoreFailed extends Error {
  override name = 'StoreFailed'
  /** It will fail until an operator changes something. */
  readonly isLasting: boolean

  constructor(message: string, { cause, isLasting = false }: { cause: unknown; isLasting?: boolean }) {
    super(message, { cause })
    this.isLasting = isLasting
  }
}

/**
 * Stores contents of files. Every method throws `StoreFailed`, or the error of a full disk.
 * Keys are generated: letters, digits and slashes, never a name from outside.
 */
export interface FileStore {
  put(key: string, bytes: Buffer, contentType: string): Promise<void>
  /** A stream of the contents, or of a part of them; undefined if there is no such key. */
  get(key: string, range?: ByteRange): Promise<Readable | undefined>
  remove(key: string): Promise<void>
  /** Checks whether the store can be used. */
  check(): Promise<void>
}
