import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { BadRequest, Invalid } from '../../errors.ts'

/** For lists that are returned whole unless a client asks for a page. */
export const MAX_PAGE_SIZE = 500

/** Whether a call returns a whole list, of which clients may request pages by `limit` and `after`. */
export function isPaged({ method, answer, query }: Endpoint): boolean {
  const fields = fieldsOf(answer)
  const queryFields = query ? fieldsOf(query) : {}
  const isWhole =
    fields?.data?._zod.def.type === 'array' && Object.keys(fields).every((name) => !/^(next|page_)/.test(name))
  return method === 'GET' && isWhole && !('limit' in (queryFields ?? {}))
}

/** Cuts the requested page out of a list, and returns where the next one begins. */
export function pageOf(answer: object, query: Record<string, unknown>): object {
  const [limit, after] = [query.limit, query.after].map((value) => (value === '' || value === null ? undefined : value))
  if (limit === undefined && after === undefined) return answer
  const pageSize = limit === undefined ? MAX_PAGE_SIZE : Number(limit)
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > MAX_PAGE_SIZE) {
    throw new Invalid({ limit: [`must be between 1 and ${MAX_PAGE_SIZE}`] })
  }
  const all = (answer as { data: { id?: unknown }[] }).data
  const from = after === undefined ? 0 : indexAfter(all, String(after))
  const data = all.slice(from, from + pageSize)
  const isLast = from + data.length >= all.length
  return { ...answer, data, next: isLast ? null : writeCursor(from + data.length, data.at(-1)?.id) }
}

function writeCursor(at: number, id: unknown): string {
  return Buffer.from(`${at} ${id}`).toString('base64url')
}

/** The index after the last item of the previous page; if that was deleted, where it would be. */
function indexAfter(all: { id?: unknown }[], cursor: string): number {
  const [, at, id] = /^(\d{1,9}) (.+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (!at) throw new BadRequest('The cursor in `after` is invalid. Leave it out to begin with the first page.')
  const index = all.findIndex((item) => String(item.id) === id)
  return index < 0 ? Math.max(0, Number(at) - 1) : index + 1
}

function fieldsOf(schema: z.ZodMiniType): Record<string, z.ZodMiniType> | undefined {
  return schema instanceof z.ZodMiniObject ? (schema.shape as Record<string, z.ZodMiniType>) : undefined
}
