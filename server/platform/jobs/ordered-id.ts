import { randomUUID } from 'node:crypto'

let last = 0n

/**
 * A UUID of version 7 that is larger than every one made here before. All jobs of a transaction carry the time at which
 * it began, so the id decides their order.
 */
export function orderedId(): string {
  const now = BigInt(Date.now()) << 12n
  last = now > last ? now : last + 1n
  const hex = last.toString(16).padStart(15, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(12)}-${randomUUID().slice(19)}`
}
