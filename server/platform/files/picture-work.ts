import sharp from 'sharp'
import { withoutLocation } from './without-location.ts'

/**
 * `clean`: upright and without metadata. `unplaced`: as it is, without the place where it was taken. `thumbnail`: a small square WebP. `page`: a WebP that
 * fits a page. `social`, `social-logo`: a PNG of the size that other websites show beside a link.
 */
export type PictureKind = 'clean' | 'unplaced' | 'thumbnail' | 'page' | 'social' | 'social-logo'

/** A picture, or for `unplaced` also a film. */
export interface PictureInput {
  kind: PictureKind
  bytes: Uint8Array
  content_type?: string
  /** Hex code of the color behind and around a picture for other websites. */
  ground?: string
}

/** More than phone cameras produce. Decoded, each pixel takes four bytes of memory. */
const MAX_PIXELS = 50_000_000
const MAX_SECONDS = 20
/** Avatars are drawn at up to 72 points; screens have up to two pixels per point. */
const THUMBNAIL_PIXELS = 144
const PAGE_PIXELS = 1_600
const SOCIAL = { width: 1_200, height: 630 }
/** Room for pictures that do not fill it: small ones, which would be blurred, narrow ones, and drawings. */
const SOCIAL_ROOM = { width: 960, height: 470 }
const LOGO_ROOM = { width: 640, height: 260 }
/** Picture types of browsers, except SVG, which can contain scripts. */
const LOADERS = ['Jpeg', 'Png', 'Webp', 'Nsgif'].map((name) => `VipsForeignLoad${name}`)

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: LOADERS })

/** Converts a picture; undefined if it is no picture, too large or takes too long. Runs in a worker process. */
export async function work({
  kind,
  bytes,
  content_type = '',
  ground = '#ffffff',
}: PictureInput): Promise<Buffer | undefined> {
  if (kind === 'unplaced') return withoutLocation(bytes, content_type)
  if (kind === 'social' || kind === 'social-logo') return drawSocial(kind, bytes, ground).catch(() => undefined)
  return convert(kind, bytes).catch(() => undefined)
}

const open = (bytes: Uint8Array) =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS }).timeout({ seconds: MAX_SECONDS }).rotate()

/** Asynchronous, because the library throws at once where there are no bytes. */
async function convert(kind: PictureKind, bytes: Uint8Array): Promise<Buffer> {
  const picture = open(bytes)
  if (kind === 'clean') return picture.toBuffer()
  if (kind === 'page') return picture.resize({ width: PAGE_PIXELS, withoutEnlargement: true }).webp().toBuffer()
  return picture.resize(THUMBNAIL_PIXELS, THUMBNAIL_PIXELS).webp().toBuffer()
}

/** A photo fills the whole; everything else is in the middle of a plain ground. There is no text: fonts differ. */
async function drawSocial(kind: 'social' | 'social-logo', bytes: Uint8Array, ground: string): Promise<Buffer> {
  const { width, height, hasAlpha } = await open(bytes).metadata()
  const isWide = width / height > 1.2 && width / height < 3
  if (kind === 'social' && isWide && !hasAlpha && width >= SOCIAL.width / 2) {
    return open(bytes).resize(SOCIAL).png({ palette: true }).toBuffer()
  }
  const room = kind === 'social' ? SOCIAL_ROOM : LOGO_ROOM
  const input = await open(bytes)
    .resize({ ...room, fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer()
  const plain = sharp({ create: { ...SOCIAL, channels: 3, background: ground } })
  return plain.composite([{ input }]).png({ palette: true }).toBuffer()
}
