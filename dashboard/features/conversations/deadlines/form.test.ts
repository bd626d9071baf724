import { expect, test } from 'vitest'
import { formOf, policyOf } from './form.ts'

test('times are typed in hours where they are whole, and nothing typed is no deadline', () => {
  const form = formOf(undefined, [], [])
  expect(form).toMatchObject({
    first_reply_minutes: { amount: '1', unit: 'hours' },
    resolution_minutes: { amount: '', unit: 'hours' },
    warn_minutes: { amount: '15', unit: 'minutes' },
  })
  expect(policyOf({ ...form, name: 'All', next_reply_minutes: { amount: '0', unit: 'hours' } })).toMatchObject({
    name: 'All',
    first_reply_minutes: 60,
    next_reply_minutes: null,
    resolution_minutes: null,
    warn_minutes: 15,
  })
})

test('inboxes and tags that were deleted are no longer in the form', () => {
  const policy = { ...policyOf(formOf(undefined, [], [])), inbox_ids: ['a', 'gone'], tag_ids: ['b'] }
  expect(formOf(policy as never, ['a'], [])).toMatchObject({ inbox_ids: ['a'], tag_ids: [] })
})
