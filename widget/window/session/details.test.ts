import { expect, test } from 'vitest'
import { readClaims } from './claims.ts'
import { listMissing } from './details.ts'

test('required details that are unknown are asked for', () => {
  const appearance = { requireEmailUpfront: true, requireNameUpfront: true, requirePhoneUpfront: false }
  expect(listMissing(appearance, {})).toEqual(['name', 'email'])
  expect(listMissing(appearance, { email: 'c@x.test' })).toEqual(['name'])
  expect(listMissing({}, {})).toEqual([])
})

test('placeholders that published pages send for missing values count as unknown', () => {
  const claims = readClaims({ name: 'undefined', email: 'null', phone: undefined, external_id: '7', insert_id: 'x' })
  expect(claims).toEqual({ external_id: '7' })
  expect(listMissing({ requireNameUpfront: true, requireEmailUpfront: true }, claims)).toEqual(['name', 'email'])
})
