import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Socket } from './socket.ts'

type Frame = [join_ref: string | null, ref: string | null, topic: string, event: string]

/** A fake WebSocket. */
class SomeSocket {
  static readonly OPEN = 1
  static opened: SomeSocket[] = []
  readyState = 0
  sent: Frame[] = []
  isClosed = false
  onopen = () => undefined as unknown
  onmessage = (_: { data: string }) => undefined as unknown
  onclose = () => undefined as unknown

  constructor() {
    SomeSocket.opened.push(this)
  }

  send(text: string) {
    this.sent.push(JSON.parse(text))
  }

  close() {
    this.isClosed = true
  }

  accept() {
    this.readyState = SomeSocket.OPEN
    this.onopen()
  }

  beats() {
    return this.sent.filter(([, , topic, event]) => topic === 'phoenix' && event === 'heartbeat')
  }

  answer() {
    const [join_ref, ref] = this.beats().at(-1)!
    this.onmessage({ data: JSON.stringify([join_ref, ref, 'phoenix', 'phx_reply', { status: 'ok', response: {} }]) })
  }
}

const BEAT_MS = 30_000
let socket: Socket
const closed = vi.fn()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', SomeSocket)
  vi.stubGlobal('location', { href: 'https://chat.test/chat' })
  SomeSocket.opened = []
  closed.mockClear()
  socket = new Socket({ account_id: 'a-1' }, { closed })
})
afterEach(() => {
  socket.close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a socket whose heartbeats are answered stays open, however long it is idle', () => {
  const [socket] = SomeSocket.opened
  socket!.accept()
  for (let beats = 1; beats <= 5; beats++) {
    vi.advanceTimersByTime(BEAT_MS)
    expect(socket!.beats()).toHaveLength(beats)
    socket!.answer()
  }
  expect(SomeSocket.opened).toEqual([socket])
  expect(closed).not.toHaveBeenCalled()
})

test('a socket with an unanswered heartbeat is reopened at the next one, with its topics', () => {
  const [dead] = SomeSocket.opened
  dead!.accept()
  socket.topic('room:a-1')
  vi.advanceTimersByTime(2 * BEAT_MS)
  expect(closed).toHaveBeenCalledOnce()
  expect(dead!.isClosed).toBe(true)
  const [, next] = SomeSocket.opened
  next!.accept()
  expect(next!.sent.map(([, , topic, event]) => [topic, event])).toEqual([['room:a-1', 'phx_join']])
  // An unanswered heartbeat of the old socket must not close the new one.
  vi.advanceTimersByTime(BEAT_MS)
  expect(next!.beats()).toHaveLength(1)
  expect(SomeSocket.opened).toHaveLength(2)
})

test('a socket that was closed on purpose sends no heartbeats and does not reconnect', () => {
  const [first] = SomeSocket.opened
  first!.accept()
  socket.close()
  first!.onclose()
  vi.advanceTimersByTime(10 * BEAT_MS)
  expect(first!.beats()).toEqual([])
  expect(SomeSocket.opened).toEqual([first])
})
