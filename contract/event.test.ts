import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineEvent } from './event.ts'
import { type ClientEvent, eventDefinitions } from './events.ts'

test('an event without receivers does not compile, and one with several objects has to declare what it sends', () => {
  // @ts-expect-error The receivers are missing.
  defineEvent('bird:hatched', { payload: { bird: z.string() } })
  expect(() =>
    defineEvent('bird:moved', { receivers: 'team', payload: { bird: z.string(), nest: z.string() } }),
  ).toThrow('bird:moved has to say what it sends.')
})

test('by default the team receives the only object of the payload, under the name of the event', () => {
  const hatched = defineEvent('bird:hatched', { receivers: 'team', payload: { bird: z.string() } })
  expect(hatched.forTeam({ bird: 'wren' })).toEqual({ event: 'bird:hatched', payload: 'wren' })
  const moulted = defineEvent('bird:moulted', { receivers: 'nobody', payload: { bird: z.string() } })
  expect(moulted.forTeam({ bird: 'wren' })).toBeUndefined()
})

test('no two events have the same type, and no two forms the same name', () => {
  const types = eventDefinitions.map(({ type }) => type)
  expect(new Set(types).size).toBe(types.length)
  expect(types.length).toBeGreaterThan(30)
  const status: ClientEvent['event'] = 'conversation:status'
  const names = eventDefinitions.flatMap(({ name, receivers }) => (receivers === 'nobody' ? [] : [name]))
  expect(new Set([...names, status]).size).toBe(names.length + 1)
})
