import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const pictures = {
  get: endpoint('user', 'GET', '/api/pictures', {
    says: 'A small copy of a picture on another server, as WebP. So no foreign server sees who looks at it.',
    query: z.object({ url: z.string().check(z.maxLength(2000), z.regex(/^https?:\/\/\S+$/i, 'is invalid')) }),
    answer: z.any(),
  }),
}
