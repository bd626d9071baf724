import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { networkOf } from '../limits/network.ts'
import { errorBody } from './responses.ts'

/** Limits of bodies that have not arrived completely. */
export interface ArrivalLimits {
  /** A body of which less arrived within this time is cut off. Mobile connections may pause for some seconds. */
  windowMs: number
  bytesPerWindow: number
  /** Bodies, and their bytes, at once: in total and from one network. Beyond that the slowest is cut off. */
  bodies: number
  bodiesPerNetwork: number
  bytes: number
  bytesPerNetwork: number
}

const MB = 1_000_000

export const ARRIVAL_LIMITS: ArrivalLimits = {
  windowMs: 15_000,
  bytesPerWindow: 15_000,
  bodies: 1_000,
  bodiesPerNetwork: 500,
  bytes: 128 * MB,
  bytesPerNetwork: 96 * MB,
}

const SWEEP_MS = 250
/** A body this young has had no time to show how fast it is. */
const YOUNG_MS = 2_000
/** How much of the average rate a new measurement replaces. */
const SMOOTHING = 0.2

interface Arrival {
  request: IncomingMessage
  network: string
  isAnswered: () => boolean
  startedAt: number
  /** Bytes of the connection when the body, the current window and the last measurement began. */
  startBytes: number
  windowAt: number
  windowBytes: number
  measuredBytes: number
  /** Bytes per sweep, averaged. */
  rate: number
}

/**
 * Cuts off bodies that arrive too slowly. Otherwise a few clients that announce large bodies and send some bytes from
 * time to time would use up the memory for bodies, and keep everybody else waiting. Only what the connection has read
 * is looked at, so that the body itself is read as usual. Headers have limits of Node.
 */
export function watchBodies(app: FastifyInstance, limits: ArrivalLimits): void {
  const arrivals = new Set<Arrival>()
  const sweep = () => {
    for (const arrival of arrivals) {
      if (hasEnded(arrival)) arrivals.delete(arrival)
      else if (isTooSlow(arrival, limits)) cut(arrivals, arrival)
    }
    cutSlowest(arrivals, [...arrivals], limits.bodies, limits.bytes)
    for (const ofNetwork of Map.groupBy(arrivals, ({ network }) => network).values())
      cutSlowest(arrivals, ofNetwork, limits.bodiesPerNetwork, limits.bytesPerNetwork)
  }
  const timer = setInterval(sweep, SWEEP_MS).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  // Not before the body is read: until the caller is known, the connection rests because of us.
  app.addHook('preParsing', async (request, reply) => {
    const { raw } = request
    if (raw.complete || !hasBody(raw)) return
    const now = performance.now()
    const startBytes = bytesOf(raw)
    arrivals.add({
      request: raw,
      network: networkOf(request.ip),
      isAnswered: () => reply.raw.writableEnded,
      ...{ startedAt: now, windowAt: now },
      ...{ startBytes, windowBytes: startBytes, measuredBytes: startBytes },
      rate: 0,
    })
    if (arrivals.size > limits.bodies) sweep()
  })
}

/** Whether a body will be read from a connection; requests of tests may have none, and bodies of GET are not read. */
function hasBody({ headers, method, socket }: IncomingMessage): boolean {
  if (method === 'GET' || typeof socket.bytesRead !== 'number') return false
  return !!headers['transfer-encoding'] || Number(headers['content-length'] ?? 0) > 0
}

function bytesOf({ socket }: IncomingMessage): number {
  return socket.bytesRead
}

function hasEnded({ request, isAnswered }: Arrival): boolean {
  return request.complete || request.destroyed || isAnswered()
}

/** Measures an arrival, and tells whether too little came in the window that has just passed. */
function isTooSlow(arrival: Arrival, { windowMs, bytesPerWindow }: ArrivalLimits): boolean {
  const bytes = bytesOf(arrival.request)
  arrival.rate += SMOOTHING * (bytes - arrival.measuredBytes - arrival.rate)
  arrival.measuredBytes = bytes
  const now = performance.now()
  if (now - arrival.windowAt < windowMs) return false
  const received = bytes - arrival.windowBytes
  arrival.windowAt = now
  arrival.windowBytes = bytes
  return received < bytesPerWindow
}

/** Cuts off the slowest of some arrivals until the others are within the limits. */
function cutSlowest(all: Set<Arrival>, arrivals: Arrival[], maxCount: number, mostBytes: number): void {
  let count = arrivals.length
  let bytes = arrivals.reduce((sum, { measuredBytes, startBytes }) => sum + measuredBytes - startBytes, 0)
  if (count <= maxCount && bytes <= mostBytes) return
  const youngSince = performance.now() - YOUNG_MS
  const isYoung = ({ startedAt }: Arrival) => Number(startedAt > youngSince)
  for (const arrival of arrivals.toSorted((a, b) => isYoung(a) - isYoung(b) || a.rate - b.rate)) {
    if (count <= maxCount && bytes <= mostBytes) return
    cut(all, arrival)
    count--
    bytes -= arrival.measuredBytes - arrival.startBytes
  }
}

const TOO_SLOW = 'The body of the request arrived too slowly. Please try again.'

/** Answers with 408, if the client still listens, and ends the connection. */
function cut(all: Set<Arrival>, arrival: Arrival): void {
  all.delete(arrival)
  const { socket } = arrival.request
  const body = JSON.stringify(errorBody(408, TOO_SLOW))
  socket.write(
    `HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  socket.destroySoon()
}
