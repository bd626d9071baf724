import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Caller } from '../caller.ts'
import type { Limits } from '../limits/limits.ts'
import { networkOf } from '../limits/network.ts'
import type { Log } from '../log.ts'
import type { Connection } from './connection.ts'
import type { Version } from './frames.ts'
import { ServerSocket } from './server-socket.ts'
import type { RealtimeSettings } from './settings.ts'

/** The subprotocol of clients since Phoenix 1.8, and the prefix of their token. */
const PROTOCOL = 'phoenix'
const TOKEN_PREFIX = 'base64url.bearer.phx.'
/** When a client may try again whose network has too many sockets. */
const FULL_SECONDS = 10
/** How long a closing handshake may take. */
const CLOSE_MS = 3_000

/** Decides whether a socket is accepted, and handles accepted ones. */
export interface UpgradeOptions {
  settings: RealtimeSettings
  limits: Limits
  log: Log
  /** The client's address, as reported by trusted proxies. */
  addressOf(request: IncomingMessage): string
  /** Authenticates by the query's parameters. A refused upgrade is answered with 403; when it throws, 503. */
  authenticate(params: Record<string, string>, request: IncomingMessage): Promise<Caller | 'refused'>
  isDraining(): boolean
  /** Whether the caller's network may open no further socket. */
  isFull(caller: Caller): boolean
  open(ws: ServerSocket, line: Duplex, caller: Caller, version: Version): Connection
}

type UpgradeFilter = (request: IncomingMessage) => boolean
type Admission = { caller: Caller; version: Version } | { status: number; retryAfterSeconds?: number }

/**
 * Accepts WebSocket upgrades on the realtime path, from any origin: identity is in the parameters, never in a cookie.
 * Requests for other paths are handled by the server as usual.
 */
export function acceptUpgrades(server: Server, options: UpgradeOptions) {
  const serverOptions = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    closeTimeout: CLOSE_MS,
    maxPayload: Math.max(options.settings.maxFrameBytes, options.settings.maxLargeFrameBytes),
    WebSocket: ServerSocket,
    handleProtocols: (offered: Set<string>): string | false => offered.has(PROTOCOL) && PROTOCOL,
  }
  const wss = new WebSocketServer(serverOptions)
  // A base address that ends in a slash results in two.
  const isOurs: UpgradeFilter = ({ url }) => url?.split('?', 1)[0]?.replace(/\/{2,}/g, '/') === options.settings.path
  ignoreOtherPaths(server, isOurs)
  server.on('upgrade', async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (!isOurs(request)) return server.listenerCount('upgrade') === 1 && rejectUpgrade(socket, 404)
    socket.on('error', ignore)
    const admission = await authorizeUpgrade(options, request)
    if ('status' in admission) return rejectUpgrade(socket, admission.status, admission.retryAfterSeconds)
    if (socket.destroyed) return
    socket.off('error', ignore)
    const { caller, version } = admission
    wss.handleUpgrade(request, socket, head, (ws) => listen(ws, options.open(ws, socket, caller, version)))
  })
}

/** Without this, Node passes every request with an upgrade header to the upgrade listener instead of answering it. */
function ignoreOtherPaths(server: Server & { shouldUpgradeCallback?: UpgradeFilter }, isOurs: UpgradeFilter) {
  const before = server.shouldUpgradeCallback?.bind(server)
  server.shouldUpgradeCallback = (request) =>
    isOurs(request) || (server.listenerCount('upgrade') > 1 && (before?.(request) ?? true))
}

/** Never throws. */
async function authorizeUpgrade(options: UpgradeOptions, request: IncomingMessage): Promise<Admission> {
  if (options.isDraining()) return { status: 503, retryAfterSeconds: 1 }
  const allowance = await options.limits.take(
    `sockets:${networkOf(options.addressOf(request))}`,
    options.settings.upgrades,
  )
  if (!allowance.allowed) return { status: 429, retryAfterSeconds: allowance.retryAfterSeconds }
  const token = offeredToken(request)
  const params: Record<string, string> = {
    ...Object.fromEntries(new URLSearchParams(request.url?.split('?')[1])),
    ...(token && { token }),
  }
  const version = versionOf(params.vsn)
  if (!version) return { status: 400 }
  try {
    const caller = await options.authenticate(params, request)
    if (caller === 'refused') {
      // Clients of Papercups, which send their token in the URL, retry within milliseconds.
      if (!token && !options.isDraining()) await sleep(options.settings.refusalMs, undefined, { ref: false })
      return { status: 403 }
    }
    if (options.isDraining()) return { status: 503, retryAfterSeconds: 1 }
    return options.isFull(caller) ? { status: 429, retryAfterSeconds: FULL_SECONDS } : { caller, version }
  } catch (error) {
    options.log.error({ err: error }, 'A socket could not be authenticated')
    return { status: 503, retryAfterSeconds: 1 }
  }
}

/** The token of clients since Phoenix 1.8: sent as a subprotocol and not in the URL, which proxies log. */
function offeredToken({ headers }: IncomingMessage): string | undefined {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim())
  const tokenProtocol = offered.find((protocol) => protocol.startsWith(TOKEN_PREFIX))
  return tokenProtocol && Buffer.from(tokenProtocol.slice(TOKEN_PREFIX.length), 'base64url').toString()
}

function versionOf(vsn = '1.0.0'): Version | undefined {
  if (vsn.startsWith('2.')) return 2
  if (vsn.startsWith('1.')) return 1
}

function rejectUpgrade(socket: Duplex, status: number, retryAfterSeconds?: number) {
  const wait = retryAfterSeconds ? `retry-after: ${retryAfterSeconds}\r\n` : ''
  // The HTTP server keeps sockets half open, and nobody else watches over this one.
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n${wait}\r\n`)
}

function ignore() {}

function listen(ws: ServerSocket, connection: Connection) {
  ws.connection = connection
  ws.on('message', onMessage)
  ws.on('ping', onPing)
  ws.on('close', receiveEnd)
  ws.on('error', receiveEnd)
}

function onMessage(this: WebSocket, data: WebSocket.RawData, isBinary: boolean) {
  if (!(this instanceof ServerSocket)) return
  if (isBinary) this.connection?.receiveBinary()
  else this.connection?.receive(data.toString())
}

function onPing(this: WebSocket, data: Buffer) {
  if (this instanceof ServerSocket) this.connection?.receivePing(data)
}

function receiveEnd(this: WebSocket) {
  if (this instanceof ServerSocket) this.connection?.end()
}
