type Frame = [join_ref: string | null, ref: string | null, topic: string, event: string]

/** A WebSocket without a network: a test accepts it, reads what was sent, and answers. */
export class FakeWebSocket {
  static readonly OPEN = 1
  static opened: FakeWebSocket[] = []
  readyState = 0
  sent: Frame[] = []
  isClosed = false
  onopen = () => undefined as unknown
  onmessage = (_: { data: string }) => undefined as unknown
  onclose = () => undefined as unknown

  constructor() {
    FakeWebSocket.opened.push(this)
  }

  send(text: string) {
    this.sent.push(JSON.parse(text))
  }

  close() {
    this.isClosed = true
  }

  accept() {
    this.readyState = FakeWebSocket.OPEN
    this.onopen()
  }

  beats() {
    return this.sent.filter(([, , topic, event]) => topic === 'phoenix' && event === 'heartbeat')
  }

  /** Topics whose joins were sent, in order. */
  joins() {
    return this.sent.flatMap(([, , topic, event]) => (event === 'phx_join' ? [topic] : []))
  }

  /** Answers the last frame about this topic. */
  answer(topic: string, status = 'ok') {
    const [join_ref, ref] = this.sent.findLast((frame) => frame[2] === topic)!
    this.onmessage({ data: JSON.stringify([join_ref, ref, topic, 'phx_reply', { status, response: {} }]) })
  }

  /** Closes one topic, as a server that stops does. */
  end(topic: string) {
    this.onmessage({ data: JSON.stringify([null, null, topic, 'phx_error', {}]) })
  }
}
