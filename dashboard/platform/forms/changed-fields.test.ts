import { expect, test } from 'vitest'
import { changedFields } from './changed-fields.ts'

test('a form sends only changed fields, including emptied ones', () => {
  const opened = { name: 'Carla', email: '', phone: '1' }
  expect(changedFields(opened, { ...opened, name: 'Carla R.', phone: '' })).toEqual({ name: 'Carla R.', phone: '' })
  expect(changedFields(opened, opened)).toEqual({})
})
