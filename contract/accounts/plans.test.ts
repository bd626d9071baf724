import { expect, test } from 'vitest'
import {
  exceedsPlan,
  hasSeat,
  includesFeature,
  offers,
  planNamed,
  productName,
  retentionDays,
  upgradeBy,
} from './plans.ts'

test('the prices are those of the specification, in US dollars per month', () => {
  const list = (alternatePricing: boolean) =>
    offers({ alternatePricing }).map(({ name, price }) => [name, price && price / 100])
  expect(list(false)).toEqual([
    ['starter', 49],
    ['lite', 99],
    ['team', 249],
    ['enterprise', null],
  ])
  expect(list(true)).toEqual([
    ['starter', 99],
    ['lite', 149],
    ['team', 299],
    ['enterprise', null],
  ])
})

test('each plan includes what the price list says', () => {
  const of = (wanted: string) => offers({ alternatePricing: false }).find(({ name }) => name === wanted)
  expect(of('starter')).toMatchObject({ seats: 2, messages: 1000, retention_days: 30 })
  expect(of('lite')).toMatchObject({ seats: 4, messages: null, retention_days: 90 })
  expect(of('team')).toMatchObject({ seats: 10, messages: null, retention_days: null })
  expect(of('enterprise')).toMatchObject({ seats: null, messages: null, retention_days: null })
  expect([retentionDays('starter'), retentionDays('lite'), retentionDays('team')]).toEqual([30, 90, null])
})

test('lite adds reply from Slack and private notes; team adds screen sharing, webhooks and priority support', () => {
  for (const feature of [
    'slack',
    'gmail',
    'google_sheets',
    'email_forwarding',
    'reply_from_slack',
    'private_notes',
  ] as const) {
    expect([includesFeature('starter', feature), includesFeature('lite', feature)], feature).toEqual([false, true])
  }
  for (const feature of ['screen_sharing', 'webhooks', 'priority_support'] as const) {
    expect([includesFeature('lite', feature), includesFeature('team', feature)], feature).toEqual([false, true])
  }
  expect(includesFeature('starter', 'widget')).toBe(true)
  expect(includesFeature('team', 'slack')).toBe(true)
  expect(includesFeature('team', 'on_premise')).toBe(false)
})

test('the starter plan has two seats, lite four, team any number', () => {
  expect([hasSeat('starter', 1), hasSeat('starter', 2)]).toEqual([true, false])
  expect([hasSeat('lite', 3), hasSeat('lite', 4)]).toEqual([true, false])
  expect(hasSeat('team', 10_000)).toBe(true)
})

test('starter is exceeded above 2 users or above 100000 messages, lite above 4 users, team never', () => {
  const exceeds = (plan: 'starter' | 'lite' | 'team', num_users: number, num_messages: number) =>
    exceedsPlan(plan, { num_users, num_messages })
  expect([exceeds('starter', 2, 100_000), exceeds('starter', 3, 0), exceeds('starter', 1, 100_001)]).toEqual([
    false,
    true,
    true,
  ])
  expect([exceeds('lite', 4, 1_000_000), exceeds('lite', 5, 0)]).toEqual([false, true])
  expect(exceeds('team', 500, 1_000_000)).toBe(false)
})

test('whoever exceeds the plan has until the first of the next month, also at the end of the year', () => {
  const day = (date: Date) => [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  expect(day(upgradeBy(new Date(2026, 0, 31)))).toEqual([2026, 2, 1])
  expect(day(upgradeBy(new Date(2026, 11, 5)))).toEqual([2027, 1, 1])
})

test('products of the EU edition have a prefix, and both names mean the same plan', () => {
  expect([productName('lite', { isEu: true }), productName('lite', { isEu: false })]).toEqual(['eu-lite', 'lite'])
  expect([planNamed('eu-team'), planNamed('team'), planNamed('gold'), planNamed('eu-'), planNamed(null)]).toEqual([
    'team',
    'team',
    undefined,
    undefined,
    undefined,
  ])
})
