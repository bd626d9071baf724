import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Answer, Body, Endpoint, Method, Params, Query, Who } from '#contract/endpoint.ts'
import { NotFound, NotSignedIn } from '../../errors.ts'
import type { Caller, User, Visitor } from '../caller.ts'
import { type Given, parseInput } from './parse.ts'

/** The caller as a handler sees it: whoever may not call never gets there. */
type CallerOf<W extends Who> = W extends 'anyone'
  ? Caller
  : W extends 'visitor'
    ? Visitor
    : W extends 'user or visitor'
      ? User | Visitor
      : User

export interface Call<E extends Endpoint> {
  caller: CallerOf<E['who']>
  params: Params<E>
  query: Query<E>
  body: Body<E>
  request: FastifyRequest
  reply: FastifyReply
}

/** A file takes the place of the promised answer where a client asked for one. */
type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Answer<E> | Readable> | Answer<E> | Readable
type Entry = { endpoint: Endpoint; handler: Handler<Endpoint> }

export interface Doors {
  /** Decides who is calling, from the Authorization header. Throws NotSignedIn for tokens that open nothing. */
  identify(token: string | undefined, request: FastifyRequest): Promise<Caller>
  /** Throws TooMany when the caller has spent its allowance for this kind of call. */
  limit(endpoint: Endpoint, caller: Caller): Promise<void>
  /** In tests every answer is held against the contract. */
  checkAnswers: boolean
}

/** Collects every call of every feature, then opens them on the HTTP server. */
export class Routes {
  readonly entries: Entry[] = []

  /** Answers one call of the contract. The compiler holds the handler to its parameters and its answer. */
  route<E extends Endpoint>(endpoint: E, handler: Handler<E>) {
    this.entries.push({ endpoint, handler: handler as unknown as Handler<Endpoint> })
  }

  open(app: FastifyInstance, doors: Doors) {
    for (const [path, byMethod] of this.byPath()) {
      const serve = (method: Method) => (request: FastifyRequest, reply: FastifyReply) => {
        const entry = byMethod.get(overriddenMethod(method, request)) ?? byMethod.get(method)
        if (!entry) throw new NotFound()
        return answer(entry, doors, request, reply)
      }
      // Browsers without PUT or DELETE send POST with `_method`, so every path listens to POST.
      for (const method of new Set<Method>([...byMethod.keys(), 'POST'])) {
        app.route({ method: method === 'PUT' ? ['PUT', 'PATCH'] : method, url: path, handler: serve(method) })
      }
    }
  }

  private byPath() {
    const paths = new Map<string, Map<Method, Entry>>()
    for (const entry of this.entries) {
      const methods = paths.get(entry.endpoint.path) ?? new Map<Method, Entry>()
      methods.set(entry.endpoint.method, entry)
      paths.set(entry.endpoint.path, methods)
    }
    return paths
  }
}

function overriddenMethod(method: Method, request: FastifyRequest): Method {
  if (method !== 'POST') return method
  const wish = (request.body as Record<string, unknown> | null | undefined)?._method
  const wished = typeof wish === 'string' ? wish.toUpperCase() : ''
  if (wished === 'PATCH' || wished === 'PUT') return 'PUT'
  return wished === 'DELETE' ? 'DELETE' : method
}

async function answer({ endpoint, handler }: Entry, doors: Doors, request: FastifyRequest, reply: FastifyReply) {
  const caller = await doors.identify(readToken(request), request)
  await doors.limit(endpoint, caller)
  admit(endpoint.who, caller)
  const input = parseInput(endpoint, request as Given)
  const result = await handler({ caller, ...input, request, reply } as Call<Endpoint>)
  // A file that is written while it travels. Its route has said what it is.
  if (result instanceof Readable) return reply.send(result)
  if (doors.checkAnswers) refuseUnpromised(z.parse(endpoint.answer, result), result, endpoint.path)
  // The browser was sent elsewhere.
  if (reply.sent) return reply
  if (endpoint.status === 204) return reply.status(204).send()
  if (endpoint.status === 201) reply.status(201)
  if (endpoint.status === 201 && endpoint.location !== 'none') reply.header('location', locationOf(endpoint, result))
  return reply.header('content-type', 'application/json; charset=utf-8').send(result)
}

/** What the contract does not promise may be what its reader must not know, so in tests it is a fault to send it. */
function refuseUnpromised(promised: unknown, sent: unknown, place: string): void {
  if (typeof sent !== 'object' || sent === null || typeof promised !== 'object' || promised === null) return
  for (const [key, value] of Object.entries(sent)) {
    if (value === undefined) continue
    if (!(key in promised)) throw new Error(`${place} sends ${key}, which the contract does not promise.`)
    refuseUnpromised(Reflect.get(promised, key), value, `${place}.${key}`)
  }
}

/**
 * Clients send the raw token or `Bearer <token>`; the dashboard of old sent the texts null and undefined. Browsers in
 * front of a proxy with a password of its own send that along, which is none of our business.
 */
export function readToken(request: FastifyRequest): string | undefined {
  const given = request.headers.authorization ?? ''
  if (/^(Basic|Digest|Negotiate) /i.test(given)) return undefined
  const token = given.replace(/^Bearer\s+/i, '').trim()
  return token && token !== 'null' && token !== 'undefined' ? token : undefined
}

function admit(who: Who, caller: Caller) {
  if (who === 'anyone') return
  if (caller.kind === 'anonymous') throw new NotSignedIn()
  const admitted =
    who === 'user or visitor' ||
    (who === 'visitor' && caller.kind === 'visitor') ||
    (who === 'user' && caller.kind === 'user') ||
    (who === 'admin' && caller.kind === 'user' && caller.role === 'admin')
  if (!admitted) throw new NotSignedIn('Unauthorized access')
}

function locationOf(endpoint: Endpoint, result: unknown): string {
  const id = (result as { data?: { id?: unknown } } | null)?.data?.id
  return id === undefined ? endpoint.path : `${endpoint.path}/${id}`
}
