import { expect, test } from 'vitest'
import type { VisitorEvent } from '#contract/visitor-events.ts'
import { createCatchUp } from './catch-up.ts'

const seen = (up_to_number: number): VisitorEvent => ({
  event: 'messages:seen',
  payload: { conversation_id: 'c', seen_at: '2026-01-01T00:00:00Z', up_to_number },
})
const page = (cursor: string, data: VisitorEvent[] = [], more = false, reset = false) =>
  ({ kind: 'done', answer: { cursor, data, more, reset } }) as const
const LATER = { kind: 'later' } as const

/** A catch-up with a fake server that gives these answers, and the cursors it was asked for. */
function start(answers: (ReturnType<typeof page> | typeof LATER)[]) {
  const cursors: (string | undefined)[] = []
  const received: number[] = []
  let reloads = 0
  const catchUp = createCatchUp({
    ask: async (cursor) => {
      cursors.push(cursor)
      return answers.shift() ?? LATER
    },
    apply: (events) =>
      received.push(...events.map((event) => ('up_to_number' in event.payload ? event.payload.up_to_number : 0))),
    reload: async () => {
      reloads++
      return { kind: 'done', answer: {} }
    },
  })
  return { catchUp, cursors, received, reloads: () => reloads }
}

test('the first time, the log’s position is read before everything is loaded, and what happened meanwhile after it', async () => {
  const { catchUp, cursors, received, reloads } = start([page('1'), page('2', [seen(1)]), page('3')])
  expect((await catchUp.run()).kind).toBe('done')
  expect(received).toEqual([1])
  await catchUp.run()
  expect(cursors).toEqual([undefined, '1', '2'])
  expect(reloads()).toBe(1)
})

test('a live event that arrives before older ones were fetched is applied again after them', async () => {
  const { catchUp, received } = start([page('1'), page('1'), page('2', [seen(1)], true), page('3', [seen(2)])])
  await catchUp.run()
  const running = catchUp.run()
  catchUp.arrive(seen(3))
  await running
  expect(received).toEqual([1, 3, 2, 3])
})

test('after a lost connection every page of missed events is fetched', async () => {
  const { catchUp, cursors, received } = start([
    page('1'),
    page('1'),
    page('2', [seen(1)], true),
    page('3', [seen(2)]),
    page('4'),
  ])
  await catchUp.run()
  await catchUp.run()
  await catchUp.run()
  expect(received).toEqual([1, 2])
  expect(cursors).toEqual([undefined, '1', '1', '2', '3'])
})

test('if the position is too old, everything is loaded again from a new one', async () => {
  const { catchUp, cursors, reloads } = start([page('1'), page('1'), page('', [], false, true), page('7'), page('8')])
  await catchUp.run()
  await catchUp.run()
  expect(cursors).toEqual([undefined, '1', '1', undefined, '7'])
  expect(reloads()).toBe(2)
})

test('a lost response does not change the position', async () => {
  const { catchUp, cursors, received } = start([page('1'), LATER, page('2', [seen(5)])])
  expect((await catchUp.run()).kind).toBe('later')
  await catchUp.run()
  expect(cursors).toEqual([undefined, '1', '1'])
  expect(received).toEqual([5])
})

test('calls during a run share one further run', async () => {
  const { catchUp, cursors } = start([page('1'), page('2'), page('3')])
  await Promise.all([catchUp.run(), catchUp.run(), catchUp.run()])
  expect(cursors).toEqual([undefined, '1', '2'])
})
