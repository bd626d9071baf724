import { expect, it } from 'vitest'
import { fileSize } from './file-size.ts'

it.each([
  [39, '1 kB'],
  [1_499, '1 kB'],
  [999_499, '999 kB'],
  [999_500, '1 MB'],
  [1_240_000, '1.2 MB'],
  [8_000_000, '8 MB'],
])('shows the size of a file of %i bytes: %s', (bytes, text) => {
  expect(fileSize(bytes)).toBe(text)
})
