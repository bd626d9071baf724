import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  /** The raw body. */
  text: string
  body: { event: string; payload: Record<string, unknown> & { id?: string; body?: string } }
}

export interface WebhookReceiver {
  url: string
  /** All requests except verifications, in order. */
  received: Received[]
  /** Sets how it answers from now on; 200 by default. */
  answer(by: (received: Received, response: ServerResponse) => void): void
  close(): Promise<void>
}

/** A customer's program that receives webhooks, and answers the verification of its address. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = []
  let answer = (_received: Received, response: ServerResponse): void => void response.end('thanks')
  const server: Server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const body = JSON.parse(text)
    if (body.event === 'webhook:verify' && !request.url?.includes('nobody')) return response.end(body.payload)
    const delivery = { path: request.url ?? '', headers: request.headers, text, body }
    if (body.event !== 'webhook:verify') received.push(delivery)
    answer(delivery, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer(by) {
      answer = by
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
