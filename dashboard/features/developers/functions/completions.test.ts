import { expect, test } from 'vitest'
import { completeFunction } from './completions.ts'

const labels = (line: string) => completeFunction(line)?.options.map(({ label }) => label)

test('the client, its members, the payload and the events are offered where they fit', () => {
  expect(labels('  await parley.')).toContain('messages')
  expect(labels('return papercups.messages.cr')).toEqual(['list', 'retrieve', 'create', 'update'])
  expect(labels('parley.conversations.')).toContain('addTag')
  expect(labels('parley.users.')).toEqual(['list', 'retrieve'])
  expect(labels('const x = payload.conv')).toContain('conversation_id')
  expect(labels("if (event === 'mess")).toContain('message:created')
  expect(completeFunction("if (event === 'message:cr")?.typed).toBe('message:cr')
  expect(labels('  pay')).toContain('payload')
})

test('nothing is offered in other places', () => {
  for (const line of ['', '  ', 'other.', 'a']) expect(completeFunction(line), line).toBeUndefined()
})
