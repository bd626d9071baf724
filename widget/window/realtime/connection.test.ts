import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createBackoff } from './backoff.ts'
import { Live, type Target } from './connection.ts'
import { FakeWebSocket } from './fake-web-socket.ts'

const CONVERSATION = 'conversation:c-1'
const LOBBY = 'conversation:lobby:carla'
const OTHER = 'conversation:c-2'
const TARGET: Target = { token: 'token', customer_id: 'carla', conversation_id: 'c-1', others: ['c-2'] }
const JOIN_MS = 10_000

const catchUp = vi.fn(async () => ({ kind: 'done', answer: {} }) as const)
const shown: string[] = []
let live: Live

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeWebSocket)
  vi.stubGlobal('location', { href: 'https://chat.test/chat' })
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('addEventListener', () => undefined)
  FakeWebSocket.opened = []
  catchUp.mockClear()
  shown.length = 0
  const listener = { apply: () => undefined, typing: () => undefined, catchUp }
  live = new Live({ ...listener, show: (connection) => shown.push(connection) }, createBackoff())
  live.moveTo(TARGET)
  newest().accept()
})
afterEach(() => {
  live.moveTo(undefined)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const newest = () => FakeWebSocket.opened.at(-1)!

test('missed events are fetched once, when all topics are joined, and again after reconnecting', async () => {
  expect(newest().joins().toSorted()).toEqual([CONVERSATION, OTHER, LOBBY])
  newest().answer(LOBBY)
  newest().answer(CONVERSATION)
  expect(catchUp).not.toHaveBeenCalled()
  newest().answer(OTHER)
  expect(catchUp).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(0)
  expect(shown).toEqual(['connecting', 'catching up', 'live'])

  newest().onclose()
  await vi.advanceTimersByTimeAsync(1_000)
  newest().accept()
  for (const topic of newest().joins()) newest().answer(topic)
  await vi.advanceTimersByTimeAsync(0)
  expect(catchUp).toHaveBeenCalledTimes(2)
  expect(shown.slice(3)).toEqual(['offline', 'catching up', 'live'])
})

test.each([
  ['refused', () => newest().answer(OTHER, 'error')],
  ['closed before it is joined', () => newest().end(OTHER)],
  ['never answered', () => vi.advanceTimersByTime(JOIN_MS)],
  ['left', () => live.moveTo({ ...TARGET, others: [] })],
])('a topic that is %s delays the missed events of the others no longer', (_, finish) => {
  newest().answer(CONVERSATION)
  newest().answer(LOBBY)
  expect(catchUp).not.toHaveBeenCalled()
  finish()
  expect(catchUp).toHaveBeenCalledTimes(1)
})

test('a refused topic is joined again, and then what it missed is fetched', () => {
  newest().answer(CONVERSATION)
  newest().answer(LOBBY)
  newest().answer(OTHER, 'error')
  vi.advanceTimersByTime(1_000)
  newest().answer(OTHER)
  expect(catchUp).toHaveBeenCalledTimes(2)
})

test('a connection that is lost before all topics are joined shows as offline until they are', () => {
  newest().answer(CONVERSATION)
  newest().onclose()
  live.moveTo({ ...TARGET, others: [] })
  expect(catchUp).not.toHaveBeenCalled()
  expect(shown.at(-1)).toBe('offline')
})
