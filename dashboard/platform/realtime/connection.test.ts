import { expect, test } from 'vitest'
import { eventDefinitions } from '#contract/events.ts'
import { NAME_OF_EVENT } from './connection.ts'

test('the socket’s events are told from its other messages by their names', () => {
  const names = ['shout', ...eventDefinitions.map(({ type }) => type)]
  expect(names.filter((name) => !NAME_OF_EVENT.test(name))).toEqual([])
  for (const name of ['cursor', 'typing', 'presence_diff', 'phx_reply', 'phx_close', 'chan_reply_7', 'null'])
    expect(NAME_OF_EVENT.test(name), name).toBe(false)
})
