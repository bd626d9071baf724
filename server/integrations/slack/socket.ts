import { WebSocket } from 'ws'
import * as z from 'zod/mini'
import type { Context } from '../../context.ts'
import { ConnectionRevoked, RetryLater } from '../../integration.ts'
import { parseForeignJson } from '../../platform/json.ts'
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

const LARGEST_FRAME = 4_000_000

interface Opening {
  signal: AbortSignal
  /** Imports what was missed. Events are handled after that. `ended` aborts with the connection. */
  catchUp(ended: AbortSignal): Promise<void>
}

/**
 * An app's live connection, over which Slack sends events. An event is acknowledged once it is stored. Slack closes
 * each socket after some hours and announces that: the next one is opened first.
 */
export async function openSocket(
  context: Context,
  app_token: string,
  { signal, catchUp }: Opening,
): Promise<LiveConnection> {
  const connection = new SocketConnection(context, app_token, signal, catchUp)
  await connection.open()
  return connection
}

class SocketConnection implements LiveConnection {
  readonly #context: Context
  readonly #app_token: string
  readonly #catchUp: Opening['catchUp']
  readonly #ended = Promise.withResolvers<void>()
  readonly #end = new AbortController()
  /** One event after the other, also from one socket to the next, to store them in order. */
  #working: Promise<void> = Promise.resolve()
  #current: WebSocket | undefined
  /** Settles once the next socket is open, or could not be opened. */
  #replacing: Promise<void> | undefined

  constructor(context: Context, app_token: string, signal: AbortSignal, catchUp: Opening['catchUp']) {
    this.#context = context
    this.#app_token = app_token
    this.#catchUp = catchUp
    const end = () => this.#end.abort()
    this.closed.then(end, end)
    signal.addEventListener('abort', () => void this.close(), { once: true })
  }

  get closed(): Promise<void> {
    return this.#ended.promise
  }

  async open(): Promise<void> {
    const opening = this.#connect()
    this.#readMissedAfter(opening)
    this.#current = await opening
  }

  async close(): Promise<void> {
    this.#ended.resolve()
    this.#current?.close()
  }

  /**
   * Imports what was missed once a socket is open: what is sent from then on arrives over it, and is handled after the
   * import.
   */
  #readMissedAfter(opening: Promise<unknown>): void {
    this.#working = this.#working
      .then(() => opening)
      .then(() => this.#catchUp(this.#end.signal))
      .catch(() => undefined)
  }

  async #connect(): Promise<WebSocket> {
    const { url } = await requestSlack(this.#context, this.#app_token, (client) => client.apps.connections.open({}))
    if (!url || !isOfSlack(this.#context, url.replace(/^ws:/, 'http:'))) {
      throw new RetryLater('Slack named no address for the live connection.')
    }
    const socket = new WebSocket(url, {
      maxPayload: LARGEST_FRAME,
      handshakeTimeout: this.#context.timing.greeting,
    })
    await this.#listen(socket)
    return socket
  }

  /** Resolves with Slack's hello. */
  #listen(socket: WebSocket): Promise<void> {
    const { greeting, silence } = this.#context.timing
    const greeted = Promise.withResolvers<void>()
    let reason = 'Slack closed the live connection.'
    const giveUp = (sentence: string) => {
      reason = sentence
      socket.terminate()
    }
    const isMute = () => giveUp('Slack opened the live connection, but sent nothing over it.')
    const hello = setTimeout(isMute, greeting).unref()
    const isSilent = () => giveUp('Slack sent nothing over the live connection any more.')
    const watch = setTimeout(isSilent, silence).unref()
    for (const event of ['ping', 'message']) socket.on(event, () => watch.refresh())
    socket.on('message', (bytes) => {
      const frame = readFrame(String(bytes))
      if (frame?.type === 'hello') {
        clearTimeout(hello)
        greeted.resolve()
      } else if (frame?.type === 'disconnect') this.#disconnect(socket, frame.reason)
      else if (frame) this.#working = this.#working.then(() => this.#receive(socket, frame))
    })
    socket.on('error', () => greeted.reject(new RetryLater('The live connection to Slack was lost.')))
    socket.on('close', () => {
      clearTimeout(watch)
      clearTimeout(hello)
      greeted.reject(new RetryLater(reason))
      if (socket !== this.#current) return
      if (this.#replacing) this.#readMissedAfter(this.#replacing)
      else this.#ended.reject(new RetryLater(reason))
    })
    return greeted.promise
  }

  /** Slack announces that it closes the socket. */
  #disconnect(socket: WebSocket, reason: string | undefined): void {
    if (socket !== this.#current || this.#replacing) return
    if (reason !== 'link_disabled') {
      this.#replacing = this.#replace(socket).finally(() => {
        this.#replacing = undefined
      })
      return
    }
    this.#ended.reject(
      new ConnectionRevoked('Socket Mode is switched off in the Slack app. Switch it on there, then connect it again.'),
    )
    socket.close()
  }

  async #replace(socket: WebSocket): Promise<void> {
    try {
      const next = await this.#connect()
      if (this.#end.signal.aborted) return next.close()
      this.#current = next
      socket.close()
    } catch (error) {
      this.#context.log.info({ err: error }, 'The next connection to Slack could not be opened')
      // The old one works until Slack closes it.
      if (socket.readyState !== WebSocket.OPEN) this.#ended.reject(error)
    }
  }

  /** An event that cannot be stored is not acknowledged, and Slack sends it again. */
  async #receive(socket: WebSocket, { type, envelope_id, payload }: Frame): Promise<void> {
    try {
      const events = type === 'interactive' ? readPresses(payload) : [readEvent(payload) ?? []].flat()
      for (const event of events) await storeEvent(this.#context, event)
      if (envelope_id) socket.send(JSON.stringify({ envelope_id }))
    } catch (error) {
      this.#context.log.warn({ err: error }, 'An event from Slack could not be stored')
    }
  }
}

function readFrame(text: string): Frame | undefined {
  return z.safeParse(Frame, parseForeignJson(text)).data
}
