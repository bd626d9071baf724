import { expect, it } from 'vitest'
import { avatarColor, initials } from './Avatar.tsx'
import { AVATAR_COLORS } from './tokens.ts'

it('gives the same id the same one of five colours, and uses them all', () => {
  const colors = Array.from({ length: 200 }, (_unused, at) => avatarColor(`customer ${at}`))
  expect(new Set(colors)).toEqual(new Set([1, 2, 3, 4, 5]))
  expect(AVATAR_COLORS).toBe(5)
  expect(avatarColor('customer 7')).toBe(avatarColor('customer 7'))
})

it.each([
  ['Ada Lovelace', 'AL'],
  ['Đỗ Minh Châu', 'ĐC'],
  ['carla.diaz@example.test', 'CD'],
  ['李小龍', '李'],
  ['🇩🇪 Team', '🇩🇪T'],
  ['👩🏽‍🚀 Ann', '👩🏽‍🚀A'],
  ['e\u0301va', 'E\u0301'],
  ['👩‍👩‍👧 Family Lê', '👩‍👩‍👧L'],
  ['e\u0301mile', 'E\u0301'],
  ['', '?'],
])('abbreviates %j', (name, letters) => {
  expect(initials(name)).toBe(letters)
})
