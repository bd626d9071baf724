import { expect, test } from 'vitest'
import { isPlausible } from './plausible.ts'

test('implausible names, addresses and numbers are recognized', () => {
  for (const [name, value] of [
    ['name', 'Carla'],
    ['email', 'carla@customer.test'],
    ['phone', '+84 (90) 123-45.67'],
  ] as const) {
    expect(isPlausible(name, ` ${value} `), value).toBe(true)
  }
  for (const [name, value] of [
    ['name', '  '],
    ['email', 'carla'],
    ['email', 'a@b'],
    ['phone', 'none'],
    ['phone', '12'],
  ] as const) {
    expect(isPlausible(name, value), value).toBe(false)
  }
})
