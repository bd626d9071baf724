import { expect, it } from 'vitest'
import { applyDiff, type PresenceMap } from './presence.ts'

const metas = (...refs: string[]) => ({ metas: refs.map((phx_ref) => ({ phx_ref })) })
const present: PresenceMap = { 'customer:1': metas('a', 'b'), 'user:2': metas('c') }

it('shows who came', () => {
  expect(Object.keys(applyDiff(present, { joins: { 'customer:9': metas('x') }, leaves: {} }))).toContain('customer:9')
})

it('keeps a customer online until the last of their tabs is closed', () => {
  const once = applyDiff(present, { joins: {}, leaves: { 'customer:1': metas('a') } })
  expect(once['customer:1']).toEqual(metas('b'))
  expect(applyDiff(once, { joins: {}, leaves: { 'customer:1': metas('b') } })).not.toHaveProperty('customer:1')
})

it('counts a connection that is told twice once', () => {
  expect(applyDiff(present, { joins: { 'user:2': metas('c') }, leaves: {} })['user:2']).toEqual(metas('c'))
})
