import sharp from 'sharp'

/** Pictures beside names are drawn at up to 72 points; screens have up to two dots for each. */
const SIZE = 144
const MAX_PIXELS = 30_000_000

/** A small square WebP of a picture, without its metadata; undefined when the bytes are no picture that can be drawn. */
export async function makeThumbnail(bytes: Buffer): Promise<Buffer | undefined> {
  try {
    return await sharp(bytes, { limitInputPixels: MAX_PIXELS }).rotate().resize(SIZE, SIZE).webp().toBuffer()
  } catch {
    return undefined
  }
}
