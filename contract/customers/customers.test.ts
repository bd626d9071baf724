import { expect, test } from 'vitest'
import { displayName } from './customers.ts'

test('a customer is called by name, address or number, and an anonymous one by a name of their own', () => {
  const nobody = { name: null, email: null, phone: null, nickname: 'Teal Otter' }
  const texting = { ...nobody, phone: '+12025550100' }
  const writing = { ...texting, email: 'carla@customer.test' }
  expect(displayName({ ...writing, name: 'Carla' })).toBe('Carla')
  expect(displayName(writing)).toBe('carla@customer.test')
  expect(displayName(texting)).toBe('+12025550100')
  expect(displayName(nobody)).toBe('Teal Otter')
  expect(displayName(null)).toBe('Anonymous User')
})
