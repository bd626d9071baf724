import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Context } from './context.ts'
import { NotSignedIn, Refusal } from './errors.ts'
import { findApiKeyCaller } from './features/accounts/auth-sessions/api-key-callers.ts'
import { ACCESS_PREFIX, findSession } from './features/accounts/auth-sessions/auth-sessions.ts'
import { consumeUpload } from './features/conversations/files/upload-limits.ts'
import { findVisitorSession } from './features/customers/customers/visitor-sessions.ts'
import { API_KEY_PREFIX } from './features/developers/api-keys/api-keys.ts'
import { answerOnce } from './features/developers/idempotency/idempotency.ts'
import { refusedSignatures } from './features/operations/health/refused-signatures.ts'
import type { Caller } from './platform/caller.ts'
import type { Db } from './platform/db/change.ts'
import { createOneAtATime } from './platform/db/one-at-a-time.ts'
import type { Authentication } from './platform/http/routes.ts'
import type { SignatureSchemes } from './platform/http/signatures.ts'
import { consume, type Limit } from './platform/limits/limits.ts'
import { MemoryLimits } from './platform/limits/memory-limits.ts'
import { networkOf } from './platform/limits/network.ts'

/** Authenticates HTTP requests and limits their rate. */
export function createAuthentication(
  context: Context,
  signatures: SignatureSchemes,
  checkResponses: boolean,
): Authentication {
  const networks = new MemoryLimits()
  return {
    checkResponses,
    signatures,
    recordRefusedSignature: (scheme) => refusedSignatures(context).record(scheme),
    once: (caller, request, work) => answerOnce(context, caller, request, work),
    oneAtATime: createOneAtATime(context.db),
    async limitNetwork(address) {
      if (context.config.rateLimits) await consume(networks, networkOf(address), NETWORKS)
    },
    async identify(token: string | undefined, request: FastifyRequest) {
      // The renew token is sent in the same header, to one call that reads it by itself.
      if (!token || request.url.startsWith('/api/session')) return { kind: 'anonymous', address: request.ip }
      const caller = await findCaller(context.db, token, request.ip)
      if (!caller) throw new NotSignedIn()
      return caller
    },
    async limit(endpoint, caller, bytes) {
      if (!context.config.rateLimits || endpoint.limit === 'none') return
      for (const [key, limit] of bucketsFor(endpoint, caller)) {
        await consume(context.limits, key, limit)
      }
      if (endpoint.takes_file && endpoint.counts_bytes !== false) await consumeUpload(context.limits, caller, bytes)
    },
  }
}

/** The caller of a socket: an expired token is refused, without a token it is anonymous. */
export async function findSocketCaller(
  db: Db,
  params: Record<string, string>,
  address: string,
): Promise<Caller | 'refused'> {
  const token = params.token || params.visitor_token
  if (!token || token === 'null' || token === 'undefined') return { kind: 'anonymous', address }
  try {
    const caller = (await findCaller(db, token, address)) ?? 'refused'
    // Programs follow the event log through a call, where their scope and limits apply.
    return caller !== 'refused' && caller.kind === 'user' && caller.api_key ? 'refused' : caller
  } catch (error) {
    if (error instanceof Refusal) return 'refused'
    throw error
  }
}

/** The client's address behind our own proxies, given their number; anything further back could be forged. */
export function addressBehind(request: IncomingMessage, trustedProxies: number): string {
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((text) => text.trim())
  const hops = [request.socket.remoteAddress ?? '', ...forwarded.filter(Boolean).reverse()]
  return hops[Math.min(trustedProxies, hops.length - 1)] ?? ''
}

/** One kind of credential. */
interface Authenticator {
  /** Whether a token is of this kind, judging by its format. */
  recognises(token: string): boolean
  /** Its holder; undefined if it was never issued, has expired or was revoked. */
  findCaller(db: Db, token: string, address: string): Promise<Caller | undefined>
}

/** Access tokens of users, given out at sign-in. */
const accessTokens: Authenticator = {
  recognises: (token) => token.startsWith(ACCESS_PREFIX),
  async findCaller(db, token, address) {
    const session = await findSession(db, token)
    if (!session) return undefined
    const { account_id, user_id, role, session_id } = session
    return { kind: 'user', address, account_id, user_id, role, session_id }
  },
}

/** API keys, by which programs act as the user who created them, with that user's current role. */
const apiKeys: Authenticator = {
  recognises: (token) => token.startsWith(API_KEY_PREFIX),
  findCaller: findApiKeyCaller,
}

/**
 * Keys and tokens of Papercups, signed with a secret that is unknown here. Keys that were imported with their account
 * are looked up like our own.
 */
const papercupsTokens: Authenticator = {
  recognises: (token) => token.startsWith('SFMyNTY.'),
  async findCaller(db, token, address) {
    const caller = await apiKeys.findCaller(db, token, address)
    if (caller) return caller
    throw new NotSignedIn(
      'This key or token was made by Papercups. Sign in again, or generate a new API key under Developers, API keys.',
    )
  },
}

/** Tokens of visitors' browsers. They create their own, in any format, so this kind comes last. */
const visitorTokens: Authenticator = {
  recognises: () => true,
  async findCaller(db, token, address) {
    const visitor = await findVisitorSession(db, token)
    return visitor && { kind: 'visitor', address, ...visitor }
  },
}

/** Every kind of credential; the first that recognises a token decides. */
const AUTHENTICATORS: Authenticator[] = [accessTokens, apiKeys, papercupsTokens, visitorTokens]

async function findCaller(db: Db, token: string, address: string): Promise<Caller | undefined> {
  return AUTHENTICATORS.find((authenticator) => authenticator.recognises(token))?.findCaller(db, token, address)
}

/** Counted per server, before any look-up: enough for an office, too little for a flood. */
const NETWORKS: Limit = { capacity: 2_000, perSecond: 400 }
const SIGN_IN: Limit = { capacity: 30, perSecond: 0.5 }
const MESSAGES: Limit = { capacity: 30, perSecond: 1 }
/** A school or an office opens its chats behind one address within a minute; each needs about six calls. */
const ANONYMOUS: Limit = { capacity: 400, perSecond: 40 }
const USERS: Limit = { capacity: 600, perSecond: 60 }
/** Separate from the user's own limit, so that a greedy program does not slow its user down. */
const API_KEYS: Limit = { capacity: 300, perSecond: 20 }
const ACCOUNTS: Limit = { capacity: 6000, perSecond: 1000 }

/** A user's limit is tighter than that of an address, which many people may share. */
function bucketsFor({ limit = 'ordinary' }: Endpoint, caller: Caller): [string, Limit][] {
  if (limit === 'sign-in') return [[`sign-in-from:${networkOf(caller.address)}`, SIGN_IN]]
  if (caller.kind === 'user')
    return [
      caller.api_key ? [`api-key:${caller.api_key.id}`, API_KEYS] : [`user:${caller.user_id}`, USERS],
      [`account:${caller.account_id}`, ACCOUNTS],
    ]
  const address: [string, Limit] = [`address:${networkOf(caller.address)}`, ANONYMOUS]
  if (limit !== 'message') return [address]
  const who = caller.kind === 'visitor' ? caller.customer_id : networkOf(caller.address)
  return [address, [`messages:${who}`, caller.kind === 'visitor' ? MESSAGES : ANONYMOUS]]
}
