import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

/** Proxies external pictures, so that other hosts do not learn who reads what. */
export const pictures = {
  get: endpoint('user', 'GET', '/api/pictures', {
    summary:
      'A copy of a picture on another server, as WebP: small and square, or with `size=whole` as it is. So no foreign server sees who looks at it.',
    query: z.object({
      size: z.optional(z.enum(['small', 'whole'])),
      url: z.string().check(z.maxLength(2000), z.regex(/^https?:\/\/\S+$/i, 'is invalid')),
    }),
    answer: z.any(),
  }),
}
