import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'
import { convertPicture, createPictureWorkers } from './convert-picture.ts'
import type { PictureKind } from './picture-work.ts'

let workers = createPictureWorkers()
afterEach(() => {
  workers.stop()
  workers = createPictureWorkers()
})
const convert = (kind: PictureKind, bytes: Buffer) => convertPicture(workers, 'acme', kind, bytes)

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()

/** A few kB that decode to a square picture of this many pixels per side. */
function bomb(pixels: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(data.length)
    head.write(type, 4)
    // Decoders that verify checksums refuse it, which is just as good.
    return Buffer.concat([head, data, Buffer.alloc(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(pixels, 0)
  header.writeUInt32BE(pixels, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const lines = deflateSync(Buffer.alloc(1_000_000))
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', lines), chunk('IEND', Buffer.alloc(0))])
}

test('a picture is returned without metadata, or as a small copy', async () => {
  const bytes = await picture(400, 300)
  const [clean, small] = await Promise.all([convert('clean', bytes), convert('thumbnail', bytes)])
  expect(await sharp(clean).metadata()).toMatchObject({ format: 'jpeg', width: 400, height: 300 })
  expect(await sharp(small).metadata()).toMatchObject({ format: 'webp', width: 144, height: 144 })
})

test('for other websites a photo fills a picture of their size, and a small one keeps its size on a plain ground', async () => {
  const draw = async (bytes: Buffer) => {
    const drawn = await convertPicture(workers, 'acme', 'social', bytes, { ground: '#ff8800' })
    const { data, info } = await sharp(drawn).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    return { size: [info.width, info.height], corner: [...data.subarray(0, 3)].map((part) => Math.round(part / 8) * 8) }
  }
  expect(await draw(await picture(1600, 1000))).toMatchObject({ size: [1200, 630], corner: [0, 128, 128] })
  expect(await draw(await picture(300, 200))).toMatchObject({ size: [1200, 630], corner: [256, 136, 0] })
  expect(await draw(await picture(700, 1400))).toMatchObject({ size: [1200, 630], corner: [256, 136, 0] })
  expect(await convertPicture(workers, 'acme', 'social', bomb(30_000))).toBeUndefined()
})

test('a picture with too many pixels or an invalid file yields nothing, and the next one is converted', async () => {
  expect(await convert('clean', bomb(30_000))).toBeUndefined()
  expect(await convert('clean', Buffer.from('no picture'))).toBeUndefined()
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
  expect(await convert('page', Buffer.from(drawing))).toBeUndefined()
  expect(await convert('clean', await picture(10, 10))).toBeInstanceOf(Buffer)
})

test('a crashed process loses only its own picture', async () => {
  const pictures = await Promise.all([picture(500, 500), picture(500, 500)])
  expect(await convert('clean', await picture(10, 10))).toBeInstanceOf(Buffer)
  const [first, second] = pictures.map((bytes) => convert('clean', bytes))
  workers.crashAll()
  expect(await first).toBeUndefined()
  expect(await second).toBeInstanceOf(Buffer)
})
