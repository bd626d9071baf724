import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { Refusal } from '../../errors.ts'
import type { Caller } from '../caller.ts'
import { isPaged, pageOf } from './paging.ts'
import { parseInput, type RequestInput } from './parse.ts'
import { readRepeatable, type StoredResponse } from './repeats.ts'
import type { Authentication, Call, Entry } from './routes.ts'

/** Runs a call for an admitted caller and sends the response. A call with an idempotency key runs once. */
export async function answerCall(
  entry: Entry,
  authentication: Authentication,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { endpoint } = entry
  const { caller } = request
  const work = () => execute(entry, authentication, request, reply)
  const isRead = endpoint.method === 'GET' || endpoint.media_type !== undefined
  const repeatable = isRead || caller.kind !== 'user' ? undefined : readRepeatable(request)
  if (!repeatable || caller.kind !== 'user') return send(await work(), reply)
  return send(await authentication.once(caller, repeatable, async () => answered(await work())), reply)
}

/** The result of a writing call: never a file or a redirect, which only reading calls return. */
function answered(result: CallOutcome): StoredResponse {
  if (result instanceof Readable || result === 'sent')
    throw new Error('A response that is a file cannot be stored and repeated.')
  return result
}

type CallOutcome = StoredResponse | Readable | 'sent'

async function execute(
  entry: Entry,
  authentication: Authentication,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<CallOutcome> {
  const { endpoint, handler } = entry
  const { caller } = request
  const input = parseInput(endpoint, request as RequestInput)
  const run = () => handler({ caller, ...input, request, reply } as Call<Endpoint>)
  const result = await ifUnchanged(entry, authentication, request, reply, run)
  // A file written while it is sent. Its route has set the headers.
  if (result instanceof Readable) return result
  if (authentication.checkResponses) {
    const declared = caller.kind === 'user' ? endpoint.answer : (endpoint.visitor_answer ?? endpoint.answer)
    assertDeclared(z.parse(declared, result), result, endpoint.path)
  }
  // The handler has redirected the browser.
  if (reply.sent) return 'sent'
  const { status = 200 } = endpoint
  if (status === 204) return { status, body: null }
  if (endpoint.method === 'GET' && entry.isUpdated) reply.header('etag', etagOf(result))
  const body = isPaged(endpoint) ? pageOf(result as object, request.query as RequestInput['query']) : result
  const location = status === 201 && endpoint.location !== 'none' ? locationOf(endpoint, result) : undefined
  return { status, body, ...(location && { location }) }
}

function send(outcome: CallOutcome, reply: FastifyReply) {
  if (outcome === 'sent') return reply
  if (outcome instanceof Readable) return reply.send(outcome)
  const { status, location, body } = outcome
  // Some handlers set the status themselves.
  if (status !== 200) reply.status(status)
  if (status === 204) return reply.send()
  if (location) reply.header('location', location)
  if (!reply.hasHeader('content-type')) reply.header('content-type', 'application/json; charset=utf-8')
  return reply.send(body)
}

/**
 * Runs an update only if its object is still in the state of `If-Match`. Updates of one object run one after the other.
 */
async function ifUnchanged(
  { read }: Entry,
  { oneAtATime }: Authentication,
  request: FastifyRequest,
  reply: FastifyReply,
  run: () => unknown,
): Promise<unknown> {
  const ifMatch = request.headers['if-match']
  if (!ifMatch || ifMatch === '*' || !read || request.caller.kind === 'anonymous') return run()
  const name = `${accountOf(request.caller)} ${request.url.split('?', 1)[0]}`
  const compareAndRun = async () => {
    const input = parseInput(read.endpoint, {
      params: request.params as RequestInput['params'],
      query: {},
      body: undefined,
    })
    const current = await read.handler({ caller: request.caller, ...input, request, reply } as Call<Endpoint>)
    if (!ifMatch.split(',').some((etag) => etag.trim().replace(/^W\//, '') === etagOf(current))) {
      throw new Refusal(412, CHANGED, 'changed')
    }
    return run()
  }
  return oneAtATime(name, compareAndRun)
}

const CHANGED = 'This has changed since you read it. Fetch it again, then repeat your change.'

function accountOf(caller: Caller): string {
  return caller.kind === 'anonymous' ? '' : caller.account_id
}

/** Identifies a state of an object. */
function etagOf(result: unknown): string {
  const sum = createHash('sha256').update(JSON.stringify(result) ?? '')
  return `"${sum.digest('base64url').slice(0, 22)}"`
}

/** Fields that are not in the contract might be confidential, so in tests sending them is an error. */
function assertDeclared(promised: unknown, sent: unknown, path: string): void {
  if (typeof sent !== 'object' || sent === null || typeof promised !== 'object' || promised === null) return
  for (const [key, value] of Object.entries(sent)) {
    if (value === undefined) continue
    if (!(key in promised)) throw new Error(`${path} sends ${key}, which the contract does not declare.`)
    assertDeclared(Reflect.get(promised, key), value, `${path}.${key}`)
  }
}

function locationOf(endpoint: Endpoint, result: unknown): string {
  const id = (result as { data?: { id?: unknown } } | null)?.data?.id
  return id === undefined ? endpoint.path : `${endpoint.path}/${id}`
}
