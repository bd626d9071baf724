import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { data, type Endpoint, endpoint, isOpenToApiKeys } from '#contract/endpoint.ts'
import { endpoints } from '#contract/index.ts'
import type { ApiKey, Caller } from '../caller.ts'
import { type Authentication, Routes } from './routes.ts'
import { createHttpServer } from './server.ts'
import type { SignatureScheme } from './signatures.ts'

/** The secret of a small test server with API keys, and with a system that signs its calls. */
const SECRET = 'known to both'
const sign = (body: string) => createHmac('sha256', SECRET).update(body).digest('hex')
const hmac: SignatureScheme = {
  verify({ headers }, rawBody) {
    const actual = Buffer.from(String(headers['x-signature'] ?? ''))
    const expected = Buffer.from(sign(rawBody.toString()))
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  },
}
const summary = 'For a test.'
const answer = data(z.object({ caller: z.string() }))
const hook = endpoint('signed', 'POST', '/api/hooks/birds', {
  summary,
  signature: 'birds',
  body: z.object({ bird: z.string() }),
  answer,
  body_limit: 1_000,
})
const remove = endpoint('signed', 'DELETE', '/api/hooks/birds', { summary, signature: 'birds', answer })
const list = endpoint('user or visitor', 'GET', '/api/birds', { summary, answer })
const add = endpoint('user', 'POST', '/api/birds', { summary, answer })
const greet = endpoint('anyone', 'POST', '/api/birds/greet', { summary, answer })
const nests = endpoint('user', 'GET', '/api/nests', { summary, answer, session_only: true })

const keys: Record<string, ApiKey> = {
  reader: { id: 'r', scope: 'read' },
  writer: { id: 'w', scope: 'everything' },
}
const authentication: Authentication = {
  async identify(token, { ip }): Promise<Caller> {
    const api_key = keys[token ?? '']
    const user = { kind: 'user', address: ip, account_id: 'acme', user_id: 1, role: 'admin' } as const
    if (token) return api_key ? { ...user, api_key } : { ...user, session_id: 's' }
    return { kind: 'anonymous', address: ip }
  },
  limitNetwork: async () => undefined,
  recordRefusedSignature: () => undefined,
  oneAtATime: (_name, work) => work(),
  limit: async () => undefined,
  signatures: { birds: hmac },
  once: (_caller, _request, work) => work(),
  checkResponses: true,
}
let app: FastifyInstance
let ran: unknown[] = []

beforeAll(async () => {
  const routes = new Routes()
  routes.route(hook, ({ caller, body, request }) => {
    ran.push(body, request.rawBody?.toString())
    return { data: { caller: caller.kind } }
  })
  routes.route(remove, ({ caller }) => {
    ran.push('removed')
    return { data: { caller: caller.kind } }
  })
  for (const call of [list, add, greet, nests]) routes.route(call, ({ caller }) => ({ data: { caller: caller.kind } }))
  app = await createHttpServer(pino({ level: 'silent' }), 0)
  routes.open(app, authentication)
})
beforeEach(() => {
  ran = []
})
afterAll(() => app.close())

const send = async (payload: string, headers: Record<string, string> = {}, more: InjectOptions = {}) => {
  const sent = { 'content-type': 'application/json', ...headers }
  const { statusCode, body } = await app.inject({ method: 'POST', url: hook.path, payload, headers: sent, ...more })
  return { status: statusCode, body: JSON.parse(body) }
}

test('a signed body reaches the handler, parsed and raw, whatever its content type', async () => {
  const body = '{ "bird":"wren" }'
  const { status } = await send(body, { 'x-signature': sign(body), authorization: 'Bearer of theirs' })
  expect(status).toBe(200)
  expect(ran).toEqual([{ bird: 'wren' }, body])
  const form = 'bird=great%20tit'
  await send(form, { 'x-signature': sign(form), 'content-type': 'application/x-www-form-urlencoded' })
  expect(ran.slice(2)).toEqual([{ bird: 'great tit' }, form])
})

test('the handler never runs on a signature that is missing, wrong or for another body', async () => {
  const body = '{"bird":"wren"}'
  for (const signature of ['', 'nonsense', sign('{"bird":"owl"}'), sign(`${body} `)]) {
    const refused = await send(body, signature ? { 'x-signature': signature } : {})
    expect([refused.status, refused.body.error.message]).toEqual([401, expect.stringContaining('signature')])
  }
  expect(ran).toEqual([])
})

test('an unsigned body is not parsed, and one that is too large is refused before it is verified', async () => {
  expect((await send('{ broken')).status).toBe(401)
  const large = JSON.stringify({ bird: 'w'.repeat(1_000) })
  expect((await send(large, { 'x-signature': sign(large) })).status).toBe(413)
})

test('a signed body cannot be sent to another call by overriding the method', async () => {
  const body = '{"bird":"wren","_method":"DELETE"}'
  expect((await send(body, { 'x-signature': sign(body) })).status).toBe(401)
  expect(ran).toEqual([])
})

test('a server does not start with a signature scheme that nobody provides', async () => {
  const other = await createHttpServer(pino({ level: 'silent' }), 0)
  const routes = new Routes()
  routes.route(hook, () => ({ data: { caller: '' } }))
  expect(() => routes.open(other, { ...authentication, signatures: {} })).toThrow('"birds", which no feature provides')
  await other.close()
})

test('a program with a key may make the calls of its user, except those about sessions, and write only if the key may', async () => {
  const request = async ({ method, path }: Endpoint, authorization: string) => {
    const { statusCode } = await app.inject({ method, url: path, headers: { authorization } })
    return statusCode
  }
  expect(await Promise.all([list, add, greet, nests].map((call) => request(call, 'a session')))).toEqual([
    200, 200, 200, 200,
  ])
  expect(await Promise.all([list, add, greet, nests].map((call) => request(call, 'writer')))).toEqual([
    200, 200, 200, 403,
  ])
  expect(await Promise.all([list, add, greet, nests].map((call) => request(call, 'reader')))).toEqual([
    200, 403, 403, 403,
  ])
})

test('overriding the method in the body does not extend the rights of a key', async () => {
  const headers = { authorization: 'reader', 'content-type': 'application/json' }
  const posted = await app.inject({ method: 'POST', url: list.path, headers, payload: '{"_method":"POST"}' })
  expect([posted.statusCode, posted.json().error.message]).toEqual([403, expect.stringContaining('is read-only')])
})

test('a declaration without its scheme does not compile', () => {
  // @ts-expect-error The signature scheme is missing.
  endpoint('signed', 'POST', '/api/birds', { summary, answer })
  expect(isOpenToApiKeys(list)).toBe(true)
})

test('signing in, second factors, sessions and leaving are not available to programs', () => {
  const own =
    /^\/api\/(auth_sessions|two_factor|password|reset_password|registration|verify_email|verification_emails|session|oidc)\b/
  const personal = endpoints.filter(({ path }) => own.test(path))
  expect(personal.length).toBeGreaterThan(8)
  expect(personal.filter(isOpenToApiKeys)).toEqual([])
  const deletions = endpoints.filter(
    ({ method, path }) => method === 'DELETE' && /^\/api\/(users|accounts)\b/.test(path),
  )
  expect(deletions.map(isOpenToApiKeys)).toEqual([false, false, false, false, false])
  const keyCalls = endpoints.filter(({ path }) => path.startsWith('/api/personal_api_keys'))
  expect(keyCalls.filter(isOpenToApiKeys)).toEqual([])
  expect(endpoints.filter(isOpenToApiKeys).length).toBeGreaterThan(50)
})
