import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'

/** Proxies external pictures, so that other hosts do not learn who reads what. */
export const pictures = {
  get: endpoint('user', 'GET', '/api/pictures', {
    media_type: 'image/webp',
    summary:
      'Returns a copy of an external image as WebP, small and square, or complete with `size=whole`, so that its server does not see who views it.',
    query: z.object({
      size: z.optional(z.enum(['small', 'whole'])).check(z.describe('`small` for previews.')),
      url: z
        .string()
        .check(z.maxLength(2000), z.regex(/^https?:\/\/\S+$/i, 'is invalid'))
        .check(z.describe('URL of the picture on its own server.')),
    }),
    answer: z.any(),
  }),
}
