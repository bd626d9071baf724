import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readPictureSize } from './picture-size.ts'

const blank = sharp({ create: { width: 300, height: 40, channels: 4, background: '#0a68' } })
const SIZE = { width: 300, height: 40 }

test('the size of a picture is read from its first bytes, whatever program wrote it', async () => {
  expect(readPictureSize(await blank.clone().png().toBuffer(), 'image/png')).toEqual(SIZE)
  expect(readPictureSize(await blank.clone().gif().toBuffer(), 'image/gif')).toEqual(SIZE)
  expect(readPictureSize(await blank.clone().jpeg().toBuffer(), 'image/jpeg')).toEqual(SIZE)
  const progressive = await blank
    .clone()
    .withExif({ IFD0: { Copyright: 'Acme' } })
    .jpeg({ progressive: true })
    .toBuffer()
  expect(readPictureSize(progressive, 'image/jpeg')).toEqual(SIZE)
  expect(readPictureSize(await blank.clone().webp().toBuffer(), 'image/webp')).toEqual(SIZE)
  expect(readPictureSize(await blank.clone().removeAlpha().webp().toBuffer(), 'image/webp')).toEqual(SIZE)
  expect(readPictureSize(await blank.clone().webp({ lossless: true }).toBuffer(), 'image/webp')).toEqual(SIZE)
})

test('truncated files and those that are no pictures have no size', () => {
  for (const content_type of ['image/png', 'image/gif', 'image/jpeg', 'image/webp', 'text/plain']) {
    expect(readPictureSize(Buffer.from('RIFF'), content_type)).toBeUndefined()
    expect(readPictureSize(Buffer.alloc(64), content_type)).toBeUndefined()
  }
})
