import type { FastifyRequest } from 'fastify'
import { Invalid } from '../../errors.ts'

/** A stored response. */
export interface StoredResponse {
  status: number
  location?: string
  body: unknown
}

/** A request that may be repeated, with the key chosen by its sender. */
export interface Repeatable {
  key: string
  /** Distinguishes it from other requests. */
  content: (string | Buffer)[]
}

/** Characters of an idempotency key. */
export const MAX_KEY_LENGTH = 255

/** The request with its idempotency key, if it has one. */
export function readRepeatable({ method, url, headers, body }: FastifyRequest): Repeatable | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.trim() === '' || key.length > MAX_KEY_LENGTH) {
    throw new Invalid({ 'Idempotency-Key': [`must have between 1 and ${MAX_KEY_LENGTH} characters`] })
  }
  // Files are compared by their bytes; the rest as text.
  const fields = Object.entries((body ?? {}) as object).flatMap(([name, value]) => [
    name,
    Buffer.isBuffer(value) ? value : (JSON.stringify(value) ?? ''),
  ])
  return { key, content: [method, url, ...fields] }
}
