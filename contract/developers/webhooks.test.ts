import { expect, test } from 'vitest'
import { eventDefinitions } from '../events.ts'
import { WEBHOOK_EVENTS } from './webhooks.ts'

test('every event that concerns a customer or a conversation can be chosen, and each is declared', () => {
  const declared = eventDefinitions.map(({ type }) => type as string)
  expect(WEBHOOK_EVENTS.filter((event) => !declared.includes(event))).toEqual([])
  const concerning = declared.filter((type) => /^(message|messages|conversation|customer|note|deadline):/.test(type))
  expect([...WEBHOOK_EVENTS].sort()).toEqual(concerning.sort())
})
