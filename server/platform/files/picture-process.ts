/**
 * A process that decodes pictures, one at a time: whatever a crafted picture does to the decoding library or to memory,
 * it does here. Started and ended by `PictureWorker`.
 */
import sharp from 'sharp'
import type { PictureAnswer, PictureTask } from './picture-worker.ts'

/** More than phone cameras produce. Decoded, each pixel takes four bytes of memory. */
const MAX_PIXELS = 50_000_000
const MAX_SECONDS = 20
/** Avatars are drawn at up to 72 points; screens have up to two pixels per point. */
const THUMBNAIL_PIXELS = 144
const PAGE_PIXELS = 1_600
/** Picture types of browsers, except SVG, which can contain scripts. */
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

/** The picture upright and without metadata. @throws if it is no picture, too large or takes too long */
function convert(kind: PictureTask['kind'], bytes: Uint8Array): Promise<Buffer> {
  const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS }).timeout({ seconds: MAX_SECONDS }).rotate()
  if (kind === 'clean') return picture.toBuffer()
  if (kind === 'page') return picture.resize({ width: PAGE_PIXELS, withoutEnlargement: true }).webp().toBuffer()
  return picture.resize(THUMBNAIL_PIXELS, THUMBNAIL_PIXELS).webp().toBuffer()
}
