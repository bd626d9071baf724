import fc from 'fast-check'
import { expect, test } from 'vitest'
import { brandPair, contrast, formatColor, parseColor, type Rgb, readableOn } from './contrast.ts'

const part = fc.integer({ min: 0, max: 255 })
const colors: fc.Arbitrary<Rgb> = fc.tuple(part, part, part)

test('text is readable on any brand color', () => {
  fc.assert(
    fc.property(colors, (brand) => {
      const { ground, text } = brandPair(brand)
      expect(contrast(ground, text)).toBeGreaterThanOrEqual(4.5)
    }),
    { seed: 20_261_121 },
  )
})

test('the accent of any brand color is readable on light and dark backgrounds', () => {
  fc.assert(
    fc.property(colors, (brand) => {
      expect(contrast(readableOn(brand, [255, 255, 255], [0, 0, 0]), [255, 255, 255])).toBeGreaterThanOrEqual(4.5)
      expect(contrast(readableOn(brand, [27, 32, 38], [255, 255, 255]), [27, 32, 38])).toBeGreaterThanOrEqual(4.5)
    }),
    { seed: 20_261_121 },
  )
})

test('a readable brand color is not changed, a light one gets dark text', () => {
  expect(brandPair([47, 93, 70])).toEqual({ ground: [47, 93, 70], text: [255, 255, 255] })
  expect(brandPair([255, 215, 0])).toEqual({ ground: [255, 215, 0], text: [0, 0, 0] })
})

test('colors are parsed with and without #, short and long, and in the browser’s form', () => {
  for (const text of ['1890ff', '#1890FF', 'rgb(24, 144, 255)', 'rgba(24, 144, 255, 1)']) {
    expect(parseColor(text), text).toEqual([24, 144, 255])
  }
  expect(parseColor('#19f')).toEqual([17, 153, 255])
  for (const text of ['', 'blue', '12', 'url(x)', null, undefined]) expect(parseColor(text)).toBeUndefined()
  expect(formatColor([24, 144, 255])).toBe('#1890ff')
})
