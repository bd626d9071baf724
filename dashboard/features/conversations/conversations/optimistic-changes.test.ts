import { expect, it } from 'vitest'
import { conversation } from '../../../testing/samples.ts'
import { patchOf } from './optimistic-changes.ts'

const snoozed = conversation({ snoozed_at: '2026-11-20T08:00:00Z', snoozed_until: '2026-11-21T08:00:00Z' })

it('shows a snoozed conversation as snoozed until its time', () => {
  expect(patchOf(conversation(), { snoozed: { until: null } })).toMatchObject({
    snoozed_at: expect.any(String),
    snoozed_until: null,
  })
})

it('shows it as not snoozed after waking, closing and reopening, and not after other changes', () => {
  const awake = { snoozed_at: null, snoozed_until: null, follow_up: null }
  expect(patchOf(snoozed, { snoozed: null })).toEqual(awake)
  expect(patchOf(snoozed, { status: 'closed' })).toEqual({ status: 'closed', ...awake })
  expect(patchOf(snoozed, { assignee_id: 7 })).toEqual({ assignee_id: 7 })
})
