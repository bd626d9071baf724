/**
 * A process of its own that takes pictures apart, one at a time: what a crafted picture does to the library that decodes
 * it, or to memory, it does here. Started and ended by `PictureWorker`.
 */
import sharp from 'sharp'
import type { PictureAnswer, PictureTask } from './picture-worker.ts'

/** More than cameras of telephones take. Unpacked, each pixel is four bytes of memory. */
const MAX_PIXELS = 50_000_000
const MAX_SECONDS = 20
/** Pictures beside names are drawn at up to 72 points; screens have up to two dots for each. */
const THUMBNAIL_PIXELS = 144
const PAGE_PIXELS = 1_600
/** What browsers show as pictures, but for drawings, which are programs of a kind. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}`)

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: LOADERS })

process.on('message', async ({ id, kind, bytes }: PictureTask) => {
  const answer: PictureAnswer = { id, bytes: await convert(kind, bytes).catch(() => undefined) }
  process.send?.(answer)
})
process.on('disconnect', () => process.exit())

/** Turned upright and without metadata. @throws when it is no picture, or one that is too large or takes too long */
function convert(kind: PictureTask['kind'], bytes: Uint8Array): Promise<Buffer> {
  const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS }).timeout({ seconds: MAX_SECONDS }).rotate()
  if (kind === 'clean') return picture.toBuffer()
  if (kind === 'page') return picture.resize({ width: PAGE_PIXELS, withoutEnlargement: true }).webp().toBuffer()
  return picture.resize(THUMBNAIL_PIXELS, THUMBNAIL_PIXELS).webp().toBuffer()
}
