import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Sends an event with its data. */
export type SendEvent = (event: string, data: object) => void

/** More often than proxies give up on a silent response. */
const SIGN_OF_LIFE_MS = 15_000

/**
 * A response of server-sent events, which ends when `write` does. The signal tells that nobody reads it any more.
 * `write` reports its failures as events: the status has been sent.
 */
export function eventStream(
  reply: FastifyReply,
  write: (send: SendEvent, signal: AbortSignal) => Promise<void>,
): Readable {
  const disconnection = new AbortController()
  const stream = new Readable({
    read() {},
    destroy(error, done) {
      disconnection.abort()
      done(error)
    },
  })
  const push = (text: string) => {
    if (!stream.destroyed) stream.push(text)
  }
  const life = setInterval(() => push(': waiting\n\n'), SIGN_OF_LIFE_MS)
  const send: SendEvent = (event, data) => push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  // The header keeps nginx from collecting the events until the response is complete.
  reply.header('content-type', 'text/event-stream; charset=utf-8').header('x-accel-buffering', 'no')
  write(send, disconnection.signal)
    .finally(() => {
      clearInterval(life)
      if (!stream.destroyed) stream.push(null)
    })
    .catch((error) => stream.destroy(error))
  return stream
}
