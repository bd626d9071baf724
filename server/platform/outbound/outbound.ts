import { promisify } from 'node:util'
import type { Agent, RequestInit } from 'undici'
import { AddressRefused, createGuard, type Guard } from './guard.ts'

/** A request to an address entered by a user, with its limits. */
export interface OutboundRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer | URLSearchParams
  /** Total time, including redirects. Default 10 seconds. */
  timeout_ms?: number
  /** Maximum size of the decompressed response. Default 1 MB. */
  max_bytes?: number
  /** Truncates a larger response; otherwise it counts as a failure. */
  cut_off?: boolean
  /** For addresses from the operator's settings, which may be private. */
  may_be_private?: boolean
  /** Maximum number of redirects; none by default. */
  redirects?: number
  /** Ends it early. */
  signal?: AbortSignal
}

/** A request whose response is read while it arrives. Its limits are those of the reader. */
export type StreamedRequest = Pick<OutboundRequest, 'method' | 'headers' | 'body'> & { signal: AbortSignal }

/** A response of which only the headers have arrived. Redirects are not followed. */
export interface StreamedResponse {
  status: number
  ok: boolean
  headers: Headers
  /** Reading it throws as the request does. Leaving it closes the connection. */
  body: AsyncIterable<Uint8Array>
}

/** A complete response within the limits. */
export interface OutboundResponse {
  status: number
  ok: boolean
  headers: Headers
  bytes: Buffer
  /** The final address after redirects. */
  url: string
}

/** Outgoing requests. All calls to addresses entered by users go through this. */
export interface Outbound {
  /** @throws AddressRefused for private addresses; OutboundFailed if there was no complete response in time */
  request(url: string, request?: OutboundRequest): Promise<OutboundResponse>
  /** Like `request`, for answers that arrive piece by piece. The signal ends it. */
  stream(url: string, request: StreamedRequest): Promise<StreamedResponse>
  /**
   * The IP address of a host entered by a user, for connections other than requests: mail servers, websockets.
   * @throws AddressRefused for private addresses; OutboundFailed if there is no such host
   */
  resolve(host: string): Promise<string>
  close(): Promise<void>
}

/**
 * There was no complete response: the connection broke, it took too long, or it was too large. The message says which,
 * for people.
 */
export class OutboundFailed extends Error {}

/** The response is larger than the caller takes. */
export class ResponseTooLarge extends OutboundFailed {}

/** No connection was made, so nothing was sent. */
export class NotReached extends OutboundFailed {}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 1_000_000
const REDIRECTS = [301, 302, 303, 307, 308]
/** Only sent to the original host, not to others it redirects to. */
const PRIVATE_HEADERS = ['authorization', 'cookie', 'proxy-authorization']

/** `reachable`: private hosts and networks that are allowed nevertheless (see `createGuard`). */
export function createOutbound(reachable: string[]): Outbound {
  const guard = createGuard(reachable)
  let opened: Promise<{ guarded: Connector; open: Connector }> | undefined
  const openConnectors = async () => ({
    guarded: await openConnector(guard),
    open: await openConnector(createGuard(EVERYTHING)),
  })
  return {
    async request(address, { timeout_ms = TIMEOUT_MS, max_bytes = MAX_BYTES, redirects = 0, ...options } = {}) {
      const { may_be_private = false, cut_off = false, signal, ...wanted } = options
      const target = URL.parse(address)
      if (!target) throw new AddressRefused('This is not a valid URL.')
      const late = AbortSignal.timeout(timeout_ms)
      const init = { ...wanted, signal: signal ? AbortSignal.any([late, signal]) : late }
      try {
        opened ??= openConnectors()
        const connector = (await opened)[may_be_private ? 'open' : 'guarded']
        const { response, url, bytes } = await followRedirects(connector, target, init, {
          bytes: max_bytes,
          redirects,
          cut_off,
        })
        const headers = new Headers([...response.headers])
        return { status: response.status, ok: response.ok, headers, bytes, url: url.href }
      } catch (error) {
        throw explain(error, target.host)
      }
    },
    async stream(address, request) {
      const target = URL.parse(address)
      if (!target) throw new AddressRefused('This is not a valid URL.')
      try {
        opened ??= openConnectors()
        const { guard, dispatcher, fetch } = (await opened).guarded
        guard.checkUrl(target)
        const response = await fetch(target, { ...request, redirect: 'manual', dispatcher })
        const headers = new Headers([...response.headers])
        const body = explained(response.body, target.host)
        return { status: response.status, ok: response.ok, headers, body }
      } catch (error) {
        throw explain(error, target.host)
      }
    },
    async resolve(host) {
      const bare = host.replace(/^\[|\]$/g, '')
      guard.checkHost(bare)
      const lookup = promisify(guard.lookup) as unknown as (host: string, options: object) => Promise<string>
      return lookup(bare, {}).catch((error: unknown) => {
        throw error instanceof AddressRefused
          ? error
          : new OutboundFailed(`There is no server named ${host}. Check its name.`, { cause: error })
      })
    },
    async close() {
      const ways = await opened
      await Promise.all([ways?.guarded.dispatcher.destroy(), ways?.open.dispatcher.destroy()])
    },
  }
}

const EVERYTHING = ['0.0.0.0/0', '::/0']

interface Connector {
  guard: Guard
  dispatcher: Agent
  fetch: typeof import('undici').fetch
}

/** The library is loaded with the first request: many servers never send one. */
async function openConnector(guard: Guard): Promise<Connector> {
  const { Agent, fetch } = await import('undici')
  const dispatcher = new Agent({
    connect: { lookup: guard.lookup, timeout: TIMEOUT_MS },
    // Responses are untrusted.
    maxHeaderSize: 32_768,
    keepAliveTimeout: 10_000,
  })
  return { guard, dispatcher, fetch }
}

interface Limits {
  bytes: number
  redirects: number
  cut_off: boolean
}

async function followRedirects(
  { guard, dispatcher, fetch }: Connector,
  target: URL,
  init: RequestInit,
  limits: Limits,
) {
  let url = target
  for (let remaining = limits.redirects; ; remaining--) {
    guard.checkUrl(url)
    const response = await fetch(url, { ...init, redirect: 'manual', dispatcher })
    const location = response.headers.get('location')
    if (!location || !REDIRECTS.includes(response.status) || limits.redirects === 0) {
      return { response, url, bytes: await readBytes(response.body, limits) }
    }
    await response.body?.cancel()
    if (remaining === 0) throw new OutboundFailed(`${target.host} redirects too often.`)
    const next = new URL(location, url)
    init = redirected(init, response.status, next.origin === url.origin)
    url = next
  }
}

/** The request after a redirect: a POST becomes a GET as in browsers, and secrets are not sent to other hosts. */
function redirected(init: RequestInit, status: number, isSameOrigin: boolean): RequestInit {
  const keepsBody = status === 307 || status === 308 || /^(GET|HEAD)$/i.test(init.method ?? 'GET')
  const headers = Object.entries((init.headers ?? {}) as Record<string, string>).filter(
    ([name]) =>
      (isSameOrigin || !PRIVATE_HEADERS.includes(name.toLowerCase())) && (keepsBody || !/^content-/i.test(name)),
  )
  const next = { ...init, headers: Object.fromEntries(headers) }
  return keepsBody ? next : { ...next, method: 'GET', body: null }
}

/**
 * A body up to so many bytes, cut off there or refused. Leaving it unread ends its connection.
 * @throws ResponseTooLarge
 */
export async function readBytes(
  body: AsyncIterable<Uint8Array> | null,
  { bytes: maxBytes, cut_off = false }: { bytes: number; cut_off?: boolean },
): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body ?? []) {
    size += piece.length
    if (size > maxBytes && cut_off) return Buffer.concat([...pieces, piece]).subarray(0, maxBytes)
    if (size > maxBytes) throw new ResponseTooLarge(`The response is larger than ${Math.round(maxBytes / 1000)} kB.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

async function* explained(body: AsyncIterable<Uint8Array> | null, host: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body ?? []
  } catch (error) {
    throw explain(error, host)
  }
}

function explain(error: unknown, host: string): Error {
  const causes = [error, (error as Error).cause]
  const explained = causes.find((cause) => cause instanceof AddressRefused || cause instanceof OutboundFailed)
  if (explained) return explained as Error
  if ((error as Error).name === 'TimeoutError') return new OutboundFailed(`${host} did not respond in time.`)
  const isUnsent = causes.some((cause) => UNSENT.includes((cause as { code?: string } | undefined)?.code ?? ''))
  return new (isUnsent ? NotReached : OutboundFailed)(`${host} cannot be reached.`, { cause: error })
}

/** Codes of failures before a connection was made. */
const UNSENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']
