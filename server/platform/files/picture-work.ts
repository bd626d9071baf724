import sharp from 'sharp'
import { withoutLocation } from './without-location.ts'

/**
 * `clean`: upright and without metadata. `unplaced`: as it is, without the place where it was taken. `thumbnail`: a small square WebP. `page`: a WebP that
 * fits a page.
 */
export type PictureKind = 'clean' | 'unplaced' | 'thumbnail' | 'page'

/** A picture, or for `unplaced` also a film. */
interface PictureInput {
  kind: PictureKind
  bytes: Uint8Array
  content_type?: string
}

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

/** Converts a picture; undefined if it is no picture, too large or takes too long. Runs in a worker process. */
export async function work({ kind, bytes, content_type = '' }: PictureInput): Promise<Buffer | undefined> {
  if (kind === 'unplaced') return withoutLocation(bytes, content_type)
  return convert(kind, bytes).catch(() => undefined)
}

function convert(kind: PictureKind, bytes: Uint8Array): Promise<Buffer> {
  const picture = sharp(bytes, { limitInputPixels: MAX_PIXELS }).timeout({ seconds: MAX_SECONDS }).rotate()
  if (kind === 'clean') return picture.toBuffer()
  if (kind === 'page') return picture.resize({ width: PAGE_PIXELS, withoutEnlargement: true }).webp().toBuffer()
  return picture.resize(THUMBNAIL_PIXELS, THUMBNAIL_PIXELS).webp().toBuffer()
}
