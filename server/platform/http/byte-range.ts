import type { ByteRange } from '../files/file-store.ts'

/**
 * The part of a file that a `Range` header asks for. Safari plays no film from a server that ignores it.
 * @param size of the whole file in bytes
 * @returns undefined for the whole file, as without the header, with several parts or another unit; `unsatisfiable` if
 *   it begins behind the end
 */
export function readByteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const start = Math.max(0, size - Number(last))
    return Number(last) === 0 ? 'unsatisfiable' : { start, end: size - 1 }
  }
  const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)]
  if (start >= size) return 'unsatisfiable'
  return start > end ? undefined : { start, end }
}
