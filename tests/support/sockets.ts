import { type Channel, Socket } from 'phoenix'
import { WebSocket } from 'ws'
import type { Json } from './server.ts'

export interface Received {
  event: string
  payload: Json
}

/** A client of the official Phoenix library, connected to a test server. */
export class TestSocket {
  readonly socket: Socket
  /** Every received frame as text: what a visitor would find in the network tab. */
  readonly frames: string[] = []

  constructor(url: string, params: Record<string, string> = {}) {
    const { frames } = this
    class Recorded extends WebSocket {
      constructor(address: string) {
        super(address)
        this.on('message', (data) => frames.push(String(data)))
      }
    }
    this.socket = new Socket(`${url.replace('http', 'ws')}/socket`, { params, transport: Recorded })
    this.socket.connect()
  }

  /** Joins a topic and records all events received there. */
  async join(topic: string, params: object = {}): Promise<JoinedTopic> {
    const channel = this.socket.channel(topic, params)
    const received: Received[] = []
    channel.onMessage = (event: string | null, payload: unknown) => {
      // The client calls this with null when one of its own timers runs out.
      if (event && !event.startsWith('phx_') && !event.startsWith('chan_reply'))
        received.push({ event, payload: payload as Json })
      return payload
    }
    await awaitReply(channel.join())
    return new JoinedTopic(channel, received)
  }

  close() {
    this.socket.disconnect()
  }
}

export class JoinedTopic {
  readonly channel: Channel
  readonly received: Received[]

  constructor(channel: Channel, received: Received[]) {
    this.channel = channel
    this.received = received
  }

  push(event: string, payload: object): Promise<Json> {
    return awaitReply(this.channel.push(event, payload))
  }

  /** The first event of this name that matches; waits for it if necessary. */
  async receive(event: string, holds: (payload: Json) => boolean = () => true): Promise<Json> {
    const deadline = Date.now() + 5000
    for (;;) {
      const match = this.received.find((entry) => entry.event === event && holds(entry.payload))
      if (match) return match.payload
      if (Date.now() > deadline)
        throw new Error(`${event} was not received, only ${JSON.stringify(this.received).slice(0, 2000)}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
}

function awaitReply(push: ReturnType<Channel['push']>): Promise<Json> {
  return new Promise((resolve, reject) => {
    push
      .receive('ok', resolve)
      .receive('error', (reason: unknown) => reject(new Error(JSON.stringify(reason))))
      .receive('timeout', () => reject(new Error('timeout')))
  })
}
