import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { BODY_LIMIT, type Endpoint } from '#contract/endpoint.ts'
import { Refusal } from '../../errors.ts'
import { FORM_LIMIT } from './bodies.ts'
import type { Authentication, Entry } from './routes.ts'

interface Reception {
  /** Undefined if the path does not take the method. */
  entry: Entry | undefined
  authentication: Authentication
  takesFile: boolean
  bodyLimit: number
}

/** Before the body is read: authenticates the caller and checks the limits. */
export async function receive(request: FastifyRequest, { entry, authentication, takesFile, bodyLimit }: Reception) {
  await authentication.limitNetwork(request.ip)
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw new Refusal(413, 'The body is too large.')
  if (entry?.endpoint.who !== 'signed') assertReadable(request, { entry, takesFile })
  // The authorization of another system is none of our tokens.
  request.caller =
    entry?.endpoint.who === 'signed'
      ? { kind: 'anonymous', address: request.ip }
      : await authentication.identify(readToken(request), request)
  if (entry) await authentication.limit(entry.endpoint, request.caller, announcedBytes(request, entry.endpoint))
}

/**
 * Refuses a body of a type that is not read. Calls without a body ignore what is sent along, such as the text of a
 * beacon; other systems send types of their own, which their signature covers.
 */
function assertReadable({ headers }: FastifyRequest, { entry, takesFile }: Pick<Reception, 'entry' | 'takesFile'>) {
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';', 1)
  if (type.startsWith('multipart/') && !takesFile)
    throw new Refusal(415, 'This call accepts JSON or a plain form, but no files.')
  const hasBody = !!headers['transfer-encoding'] || Number(headers['content-length'] ?? 0) > 0
  if (entry?.endpoint.body && !entry.endpoint.beacon && hasBody && !READABLE.includes(type.trim()))
    throw new Refusal(415, 'The body has to be JSON, with `content-type: application/json`.')
}

const READABLE = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']

/** A body without a declared length counts with its maximum. */
export function announcedBytes({ headers }: FastifyRequest, endpoint: Endpoint): number {
  return headers['transfer-encoding'] ? bodyLimitOf(endpoint) : Number(headers['content-length'] ?? 0)
}

/** Delay before the answer to a client that sends too much. */
const HOLD_MS = 1_000
/** Reading a smaller body is cheaper than a new connection. */
const SMALL_BODY = 64_000

/**
 * Delays the answer to a client that exceeds its limits, or sends a body that is not read, and closes the connection:
 * so a flood is slowed down at its source, and none of its body is read.
 */
export async function delayRefusal(refusal: unknown, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  if (!(refusal instanceof Refusal) || ![413, 415, 429].includes(refusal.status)) return refusal
  const { headers } = request
  const isLarge = !!headers['transfer-encoding'] || Number(headers['content-length'] ?? 0) > SMALL_BODY
  if (isLarge) reply.header('connection', 'close')
  if (isLarge || refusal.status === 429) await sleep(HOLD_MS, undefined, { ref: false })
  return refusal
}

/** How many bytes the body of a call may have. */
export function bodyLimitOf({ body_limit = BODY_LIMIT, takes_file }: Endpoint): number {
  return takes_file ? Math.max(body_limit, FORM_LIMIT) : body_limit
}

/**
 * Clients send the raw token or `Bearer <token>`; Papercups' dashboard sent the texts null and undefined. Basic
 * authentication of a proxy in front is sent along by browsers, and ignored.
 */
export function readToken(request: FastifyRequest): string | undefined {
  const authorization = request.headers.authorization ?? ''
  if (/^(Basic|Digest|Negotiate) /i.test(authorization)) return undefined
  const token = authorization.replace(/^Bearer\s+/i, '').trim()
  return token && token !== 'null' && token !== 'undefined' ? token : undefined
}
