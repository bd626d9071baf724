import { WebSocket } from 'ws'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { Later, Reconnect } from '../../integration.ts'
import type { LiveConnection } from '../../platform/outbound/live-connections.ts'
import { isOfSlack, requestSlack } from './client.ts'
import { readEvent, readPresses } from './events.ts'
import { storeEvent } from './store-events.ts'

const Frame = z.object({
  type: z.string(),
  envelope_id: z.optional(z.string()),
  reason: z.optional(z.string()),
  payload: z.optional(z.unknown()),
})
type Frame = z.output<typeof Frame>

const HELLO_MS = 20_000
/** Slack sends something at least every half minute. */
const SILENCE_MS = 90_000
const LARGEST_FRAME = 4_000_000

interface Opening {
  signal: AbortSignal
  /** Events are handled after this. */
  after: Promise<void>
}

/**
 * An app's live connection, over which Slack sends events. An event is acknowledged once it is stored. Slack closes
 * each connection after some hours and announces that: the next one is opened first.
 */
export async function openSocket(
  context: Context,
  app_token: string,
  { signal, after }: Opening,
): Promise<LiveConnection> {
  const ended = Promise.withResolvers<void>()
  ended.promise.catch(() => undefined)
  // One event after the other, also from one connection to the next, to store them in order.
  let working = after
  let current: WebSocket | undefined
  current = await connect()

  async function connect(): Promise<WebSocket> {
    const found = await requestSlack(context, app_token, (client) => client.apps.connections.open({}))
    if (!found.url || !isOfSlack(context, found.url.replace(/^ws:/, 'http:'))) {
      throw new Later('Slack named no address for the live connection.')
    }
    const socket = new WebSocket(found.url, { maxPayload: LARGEST_FRAME, handshakeTimeout: HELLO_MS })
    await listen(socket)
    return socket
  }

  /** Resolves with Slack's hello. */
  function listen(socket: WebSocket): Promise<void> {
    const greeted = Promise.withResolvers<void>()
    let lastReceived = Date.now()
    const watch = setInterval(() => Date.now() - lastReceived > SILENCE_MS && socket.terminate(), 10_000).unref()
    const hello = setTimeout(() => socket.terminate(), HELLO_MS).unref()
    socket.on('ping', () => {
      lastReceived = Date.now()
    })
    socket.on('message', (bytes) => {
      lastReceived = Date.now()
      const frame = readFrame(String(bytes))
      if (frame?.type === 'hello') greeted.resolve()
      else if (frame?.type === 'disconnect') void replace(socket, frame.reason)
      else if (frame) working = working.then(() => receiveFrame(socket, frame))
    })
    socket.on('error', () => greeted.reject(new Later('The live connection to Slack was lost.')))
    socket.on('close', () => {
      clearInterval(watch)
      clearTimeout(hello)
      greeted.reject(new Later('Slack closed the live connection.'))
      if (socket === current) ended.resolve()
    })
    return greeted.promise
  }

  async function replace(socket: WebSocket, reason: string | undefined): Promise<void> {
    if (socket !== current) return
    if (reason === 'link_disabled') {
      ended.reject(
        new Reconnect('Socket Mode is switched off in the Slack app. Switch it on there, then connect it again.'),
      )
      socket.close()
      return
    }
    try {
      current = await connect()
      socket.close()
    } catch (error) {
      context.log.info({ err: error }, 'The next connection to Slack could not be opened')
      socket.close()
    }
  }

  /** An event that cannot be stored is not acknowledged, and Slack sends it again. */
  async function receiveFrame(socket: WebSocket, { type, envelope_id, payload }: Frame): Promise<void> {
    try {
      const events = type === 'interactive' ? readPresses(payload) : [readEvent(payload) ?? []].flat()
      for (const one of events) await storeEvent(context, one)
      if (envelope_id) socket.send(JSON.stringify({ envelope_id }))
    } catch (error) {
      context.log.warn({ err: error }, 'An event from Slack could not be stored')
    }
  }

  const close = async () => {
    ended.resolve()
    current?.close()
  }
  signal.addEventListener('abort', () => void close(), { once: true })
  return { closed: ended.promise, close }
}

function readFrame(text: string): Frame | undefined {
  try {
    const read = z.safeParse(Frame, JSON.parse(text))
    return read.success ? read.data : undefined
  } catch {
    return undefined
  }
}
