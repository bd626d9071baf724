import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type {
  Answer,
  Body,
  BodyInput,
  Endpoint,
  Method,
  Params,
  Query,
  QueryInput,
  VisitorAnswer,
} from '#contract/endpoint.ts'
import { Refusal } from '../../errors.ts'
import type { Anonymous, Caller, SignedInUser, User, Visitor } from '../caller.ts'
import type { OneAtATime } from '../db/one-at-a-time.ts'
import { withRequestId } from '../request-id.ts'
import { type TracedWork, traced } from '../tracing/traced.ts'
import { assertMayCall } from './admission.ts'
import { answerCall } from './answer.ts'
import { assertRefusalDeclared } from './openapi-errors.ts'
import { parseInput } from './parse.ts'
import { announcedBytes, bodyLimitOf, delayRefusal, receive } from './reception.ts'
import type { Repeatable, StoredResponse } from './repeats.ts'
import { type SignatureSchemes, schemeOf, verifyBody } from './signatures.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Known before the body is read, on every call of the contract. */
    caller: Caller
  }
}

/** The caller's type in a handler: only those admitted get there. */
type CallerOf<E extends Endpoint> = E['who'] extends 'anyone'
  ? Caller
  : E['who'] extends 'visitor'
    ? Visitor
    : E['who'] extends 'user or visitor'
      ? User | Visitor
      : E['who'] extends 'signed'
        ? Anonymous
        : E extends { session_only: true }
          ? SignedInUser
          : User

/** The input of a handler: parsed, and from an admitted caller. */
export interface Call<E extends Endpoint> {
  caller: CallerOf<E>
  params: Params<E>
  query: Query<E>
  body: Body<E>
  request: FastifyRequest
  reply: FastifyReply
}

/** A file replaces the declared answer if the client asked for one. */
type HandlerAnswer<E extends Endpoint> = Answer<E> | VisitorAnswer<E> | Readable
type Handler<E extends Endpoint> = (call: Call<E>) => Promise<HandlerAnswer<E>> | HandlerAnswer<E>

/** A call with its handler. */
export interface Entry {
  endpoint: Endpoint
  handler: Handler<Endpoint>
  /** The call that reads what this one updates. */
  read?: Entry | undefined
  /** Whether another call updates what this one reads. */
  isUpdated?: boolean
}

/** Authentication and rate limits. */
export interface Authentication {
  /** Identifies the caller from the Authorization header. Throws NotSignedIn for invalid tokens. */
  identify(token: string | undefined, request: FastifyRequest): Promise<Caller>
  /** Throws TooMany if a network sends so much that its requests are not even authenticated. */
  limitNetwork(address: string): Promise<void>
  /** Throws TooMany if the caller has exceeded the limit of this kind of call, or of body bytes. */
  limit(endpoint: Endpoint, caller: Caller, bytes: number): Promise<void>
  /** Runs work once per idempotency key, and answers a repeat with the first response. */
  once(caller: User, request: Repeatable, work: () => Promise<StoredResponse>): Promise<StoredResponse>
  /** Runs work of the same name one at a time, across all servers. */
  oneAtATime: OneAtATime
  /** Signature schemes of other systems, by the names in declarations. */
  signatures: SignatureSchemes
  /** Called for each call without a valid signature, with the name of its scheme. */
  recordRefusedSignature(scheme: string): void
  /** In tests every response is checked against the contract. */
  checkResponses: boolean
}

/** Makes a call of the contract from within the server. @throws what the call refuses */
export type MakeCall = <E extends Endpoint>(
  endpoint: E,
  caller: Caller,
  input: { params?: Record<string, string>; query?: QueryInput<E>; body?: BodyInput<E> },
) => Promise<Answer<E>>

/** Collects all calls of all features, then registers them on the HTTP server. */
export class Routes {
  readonly entries: Entry[] = []

  /** Registers the handler of a call. The compiler checks its parameters and answer. */
  route<E extends Endpoint>(endpoint: E, handler: Handler<E>) {
    this.entries.push({ endpoint, handler: handler as unknown as Handler<Endpoint> })
  }

  open(app: FastifyInstance, authentication: Authentication) {
    app.decorateRequest('caller')
    app.decorateRequest('rawBody')
    app.decorateRequest('signedFor')
    app.decorateRequest('signedBy')
    for (const [path, byMethod] of this.byPath()) {
      const [read, update] = [byMethod.get('GET'), byMethod.get('PUT')]
      if (read && update) {
        read.isUpdated = true
        update.read = read
      }
      const bodyLimit = Math.max(...byMethod.values().map(({ endpoint }) => bodyLimitOf(endpoint)))
      const takesFile = byMethod.values().some(({ endpoint }) => endpoint.takes_file)
      const serve = (method: Method) => ({
        onRequest: (request: FastifyRequest, reply: FastifyReply) =>
          receive(request, { entry: byMethod.get(method), authentication, takesFile, bodyLimit }).catch(
            async (refusal) => {
              throw await delayRefusal(refusal, request, reply)
            },
          ),
        preParsing: verification(byMethod.get(method)?.endpoint, authentication),
        handler: (request: FastifyRequest, reply: FastifyReply) => {
          const entry = byMethod.get(overriddenMethod(method, request)) ?? byMethod.get(method)
          if (!entry) {
            reply.header('allow', allowedMethods(byMethod.keys()))
            throw new Refusal(405, 'This address does not take this method. `Allow` names those that it takes.')
          }
          const answering = withRequestId(request.id, () =>
            traced(workOf(entry, reply), () => answer(entry, byMethod.get(method), authentication, request, reply)),
          )
          return answering.catch(async (refusal) => {
            if (authentication.checkResponses && refusal instanceof Refusal)
              assertRefusalDeclared(entry.endpoint, refusal.status)
            // A refused file has already been read, so the answer is delayed to slow the sender down.
            throw entry.endpoint.takes_file ? await delayRefusal(refusal, request, reply) : refusal
          })
        },
      })
      // All methods, because clients without PUT or DELETE send POST with `_method`, and the others get a 405.
      for (const method of METHODS) {
        app.route({ method: method === 'PUT' ? ['PUT', 'PATCH'] : method, url: path, bodyLimit, ...serve(method) })
      }
    }
  }

  /** Makes calls for callers who have not sent them over HTTP. */
  caller(authentication: Authentication): MakeCall {
    const byEndpoint = new Map(this.entries.map((entry) => [entry.endpoint, entry]))
    return async (endpoint, caller, { params = {}, query = {}, body = {} }) => {
      const entry = byEndpoint.get(endpoint)
      if (!entry) throw new Error(`${endpoint.path} has no handler.`)
      assertMayCall(endpoint, { caller, signedFor: undefined })
      await authentication.limit(endpoint, caller, 0)
      const input = parseInput(endpoint, { params, query: query as Record<string, unknown>, body })
      return (await entry.handler({ caller, ...input } as Call<Endpoint>)) as never
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

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE']

/** The value of `Allow`. */
function allowedMethods(methods: Iterable<Method>): string {
  const also: Partial<Record<Method, string>> = { GET: 'GET, HEAD', PUT: 'PUT, PATCH' }
  return ['OPTIONS', ...Array.from(methods, (method) => also[method] ?? method)].join(', ')
}

/** For traces: the route's pattern, because the address may contain personal data. */
function workOf({ endpoint: { method, path } }: Entry, reply: FastifyReply): TracedWork {
  return {
    name: `${method} ${path}`,
    kind: 'request',
    attributes: { 'http.request.method': method, 'http.route': path },
    atEnd: () => ({ 'http.response.status_code': reply.statusCode }),
  }
}

/** Hook that runs before the body of a signed call is parsed. */
function verification(endpoint: Endpoint | undefined, { signatures, recordRefusedSignature }: Authentication) {
  if (endpoint?.who !== 'signed') return undefined
  const [scheme, limit] = [schemeOf(endpoint, signatures), bodyLimitOf(endpoint)]
  return (request: FastifyRequest, _reply: FastifyReply, body: AsyncIterable<Buffer>) =>
    verifyBody(request, body, { endpoint, scheme, limit, onRefusal: () => recordRefusedSignature(endpoint.signature!) })
}

function overriddenMethod(method: Method, request: FastifyRequest): Method {
  if (method !== 'POST') return method
  const wish = (request.body as Record<string, unknown> | null | undefined)?._method
  const wished = typeof wish === 'string' ? wish.toUpperCase() : ''
  if (wished === 'PATCH' || wished === 'PUT') return 'PUT'
  return wished === 'DELETE' ? 'DELETE' : method
}

async function answer(
  entry: Entry,
  announced: Entry | undefined,
  authentication: Authentication,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { endpoint } = entry
  const { caller } = request
  // A body that selects another method is only known here, so its limit is checked now.
  if (announced?.endpoint !== endpoint) await authentication.limit(endpoint, caller, announcedBytes(request, endpoint))
  assertMayCall(endpoint, request)
  return answerCall(entry, authentication, request, reply)
}
