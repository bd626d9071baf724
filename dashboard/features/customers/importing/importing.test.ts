import { expect, test } from 'vitest'
import { readText } from './importing.ts'

const bytesOf = (...parts: (number[] | Uint8Array)[]) => new Uint8Array(parts.flatMap((part) => [...part])).buffer

test('files of all common spreadsheets are read', () => {
  const text = 'name,email\nZoë Đặng,zoe@acme.test'
  const utf8 = new TextEncoder().encode(text)
  const utf16 = [...text].flatMap((sign) => [sign.charCodeAt(0) & 0xff, sign.charCodeAt(0) >> 8])
  const swapped = utf16.map((_, at) => utf16[at ^ 1]!)
  expect(readText(bytesOf(utf8))).toBe(text)
  expect(readText(bytesOf([0xef, 0xbb, 0xbf], utf8))).toBe(text)
  expect(readText(bytesOf([0xff, 0xfe], utf16))).toBe(text)
  expect(readText(bytesOf([0xfe, 0xff], swapped))).toBe(text)
  expect(readText(bytesOf([0x5a, 0x6f, 0xeb]))).toBe('Zoë')
  expect(readText(bytesOf([]))).toBe('')
})
