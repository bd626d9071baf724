import { Readable } from 'node:stream'
import { pictures } from '#contract/conversations/pictures.ts'
import type { Context } from '../../../context.ts'
import { NotFound } from '../../../errors.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { Pictures } from './pictures.ts'

export function registerPicturesRoutes(routes: Routes, { outbound, pictures: workers }: Context) {
  const store = new Pictures(outbound, workers)
  routes.route(pictures.get, async ({ caller: { account_id }, query, reply }) => {
    const { url, size = 'small' } = query
    const picture = await (size === 'whole' ? store.getWhole(account_id, url) : store.getSmall(account_id, url))
    if (!picture) throw new NotFound()
    reply.headers({
      'content-type': 'image/webp',
      'content-length': picture.length,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=86400',
    })
    return Readable.from([picture], { objectMode: false })
  })
}
