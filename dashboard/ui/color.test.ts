import { expect, test } from 'vitest'
import { inkOn, readHex } from './color.ts'

test('any hex value is a colour, with or without its sign, long or short', () => {
  expect(['#0D5F7A', '0d5f7a', ' #abc ', 'red', '#12', ''].map(readHex)).toEqual([
    '#0d5f7a',
    '#0d5f7a',
    '#aabbcc',
    undefined,
    undefined,
    undefined,
  ])
})

test('text on a color is readable', () => {
  expect(inkOn('#0d5f7a')).toBe('#ffffff')
  expect(inkOn('#ffe08a')).toBe('#17222d')
})
