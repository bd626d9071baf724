import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { SeededRandom } from '../../bin/seed/seeded-random.ts'

/** A received request. */
export interface Received {
  id: string
  conversation_id: string
  message_id: string
  isAccepted: boolean
}

/** Percent of requests. */
const REFUSED = 70
const SLOW = 5

/**
 * Simulates an unreliable server of a customer: it refuses most requests, answers some of them late, and is down now
 * and then. It records all requests with a valid signature.
 */
export class WebhookReceiver {
  readonly received: Received[] = []
  /** Requests with an invalid signature. */
  forged = 0
  restarts = 0
  secret = ''
  readonly #port: number
  readonly #chance: SeededRandom
  #server = createServer()

  constructor(port: number, chance: SeededRandom) {
    this.#port = port
    this.#chance = chance
  }

  async start(): Promise<string> {
    this.#server = createServer((request, response) => {
      this.#receive(request, response).catch(() => response.destroy())
    })
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve))
    return `http://127.0.0.1:${this.#port}/hook`
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  /** Is down for a second, interrupting the requests in progress. */
  async restart(): Promise<void> {
    await this.stop()
    await sleep(1_000)
    await this.start()
    this.restarts++
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString()
    const { event, payload } = JSON.parse(text)
    if (event === 'webhook:verify') return void response.end(payload)
    try {
      new Webhook(this.secret).verify(text, request.headers as Record<string, string>)
    } catch {
      this.forged++
      return void response.writeHead(401).end()
    }
    const isAccepted = this.#chance.below(100) >= REFUSED
    if (this.#chance.below(100) < SLOW) await sleep(200 + this.#chance.below(800))
    const id = String(request.headers['webhook-id'])
    this.received.push({ id, conversation_id: payload.conversation_id, message_id: payload.id, isAccepted })
    response.writeHead(isAccepted ? 200 : 500).end()
  }
}
