import { expect, it } from 'vitest'
import { applyDiff, type PresenceMap, viewersOf } from './presence.ts'

const metas = (...refs: string[]) => ({ metas: refs.map((phx_ref) => ({ phx_ref })) })
const presence: PresenceMap = { 'customer:1': metas('a', 'b'), 'user:2': metas('c') }

it('shows who joined', () => {
  expect(Object.keys(applyDiff(presence, { joins: { 'customer:9': metas('x') }, leaves: {} }))).toContain('customer:9')
})

it('keeps a customer online until the last of their tabs is closed', () => {
  const once = applyDiff(presence, { joins: {}, leaves: { 'customer:1': metas('a') } })
  expect(once['customer:1']).toEqual(metas('b'))
  expect(applyDiff(once, { joins: {}, leaves: { 'customer:1': metas('b') } })).not.toHaveProperty('customer:1')
})

it('counts a connection once, even if it is reported twice', () => {
  expect(applyDiff(presence, { joins: { 'user:2': metas('c') }, leaves: {} })['user:2']).toEqual(metas('c'))
})

it('knows who is viewing a conversation, in however many tabs', () => {
  const presence: PresenceMap = {
    'user:9': { metas: [{ phx_ref: 'a', viewing: 'c1' }] },
    'user:2': { metas: [{ phx_ref: 'b' }, { phx_ref: 'c', viewing: 'c1' }] },
    'user:3': { metas: [{ phx_ref: 'd', viewing: null }] },
    'customer:c1': { metas: [{ phx_ref: 'e' }] },
  }
  expect(viewersOf(presence, 'c1')).toEqual([2, 9])
})
