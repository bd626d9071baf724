import { expect, test } from 'vitest'
import { nicknameOf } from '#contract/customers/nickname.ts'
import { newId } from '../../../platform/secrets.ts'

test('an id has always the same short name, and few of many share one', () => {
  const id = newId()
  expect(nicknameOf(id)).toBe(nicknameOf(id))
  expect(nicknameOf(id)).toMatch(/^[A-Z][a-z]+ [A-Z][a-z]+$/)
  const names = Array.from({ length: 500 }, () => nicknameOf(newId()))
  expect(new Set(names).size).toBeGreaterThan(300)
})
