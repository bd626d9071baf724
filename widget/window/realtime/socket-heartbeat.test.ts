import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakeWebSocket } from './fake-web-socket.ts'
import { Socket } from './socket.ts'

const BEAT_MS = 30_000
let socket: Socket
const closed = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', FakeWebSocket)
  vi.stubGlobal('location', { href: 'https://chat.test/chat' })
  FakeWebSocket.opened = []
  closed.mockClear()
  socket = new Socket({ account_id: 'a-1' }, { closed })
})
afterEach(() => {
  socket.close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a socket whose heartbeats are answered stays open, however long it is idle', () => {
  const [socket] = FakeWebSocket.opened
  socket!.accept()
  for (let beats = 1; beats <= 5; beats++) {
    vi.advanceTimersByTime(BEAT_MS)
    expect(socket!.beats()).toHaveLength(beats)
    socket!.answer('phoenix')
  }
  expect(FakeWebSocket.opened).toEqual([socket])
  expect(closed).not.toHaveBeenCalled()
})

test('a socket with an unanswered heartbeat is reopened at the next one, with its topics', () => {
  const [dead] = FakeWebSocket.opened
  dead!.accept()
  socket.topic('room:a-1')
  vi.advanceTimersByTime(2 * BEAT_MS)
  expect(closed).toHaveBeenCalledOnce()
  expect(dead!.isClosed).toBe(true)
  const [, next] = FakeWebSocket.opened
  next!.accept()
  expect(next!.sent.map(([, , topic, event]) => [topic, event])).toEqual([['room:a-1', 'phx_join']])
  // An unanswered heartbeat of the old socket must not close the new one.
  vi.advanceTimersByTime(BEAT_MS)
  expect(next!.beats()).toHaveLength(1)
  expect(FakeWebSocket.opened).toHaveLength(2)
})

test('a socket that was closed on purpose sends no heartbeats and does not reconnect', () => {
  const [first] = FakeWebSocket.opened
  first!.accept()
  socket.close()
  first!.onclose()
  vi.advanceTimersByTime(10 * BEAT_MS)
  expect(first!.beats()).toEqual([])
  expect(FakeWebSocket.opened).toEqual([first])
})
