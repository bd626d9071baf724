import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe } from 'vitest'
import { endpoints } from '#contract/index.ts'
import { TOPICS } from '#contract/topics.ts'
import { browserSessions } from '#contract/widget/live-sessions.ts'
import { errorText } from '../dashboard/platform/http/errors.ts'
import { ApiError } from '../dashboard/platform/http/request.ts'
import { test as base, expect } from './support/fixture.ts'
import { type Known, sampleBody, samplePath } from './support/samples.ts'
import { createApiKey, startConversation } from './support/world.ts'

const test = base
  .extend('keys', { scope: 'file' }, async ({ server, world }) => [
    await createApiKey(server, world.ada.token),
    await createApiKey(server, world.ada.token, 'read'),
    'parley_key_',
  ])
  .extend('known', { scope: 'file' }, async ({ as, server, world }): Promise<Known> => {
    const { conversation_id } = await startConversation(server, world.carla)
    const { customer_id } = world.carla
    const browser_session = { account_id: world.acme.id, customer_id }
    const session_id = (await as.anybody(browserSessions.create, { body: { browser_session } })).data.id
    return {
      account_id: world.acme.id,
      conversation_id,
      customer_id,
      id: conversation_id,
      inbox_id: world.website.id,
      session_id,
    }
  })

const bomb = (depth: number): unknown => (depth === 0 ? [] : [bomb(depth - 1)])

/** Unexpected values for fields. */
const nonsense = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    'undefined',
    'NaN',
    '../../etc/passwd',
    "' or 1=1 --",
    '%',
    '\ud800',
  ),
  fc.constantFrom<unknown>([], {}, [[]], true, -1, 0, 1e308, 2 ** 53, -0.5, 'x'.repeat(100_000), bomb(200), [null], {
    id: {},
  }),
  fc.constantFrom<unknown>(
    randomUUID(),
    '00000000-0000-0000-0000-000000000000',
    '2026-13-45T99:99:99Z',
    '0001-01-01',
    '+275760-09-13',
  ),
  fc.constantFrom<unknown>(
    { __proto__: { admin: true } },
    { constructor: 1 },
    { toString: 'x' },
    { '\ud83d': ['\ude00', 'cut \ud83d'] },
    JSON.parse('{"__proto__": {"a": 1}}'),
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
)

/** A valid body in which one or two places were replaced, or that was replaced as a whole. */
function spoil(body: unknown): fc.Arbitrary<unknown> {
  const paths = leaves(body)
  if (paths.length === 0) return nonsense
  const replaced = fc
    .array(fc.tuple(fc.constantFrom(...paths), nonsense), { minLength: 1, maxLength: 2 })
    .map((changes) => {
      const copy = structuredClone(body)
      // Copies, because a second change may be inside the first.
      for (const [path, value] of changes) put(copy, path, structuredClone(value))
      return copy
    })
  return fc.oneof({ weight: 9, arbitrary: replaced }, { weight: 1, arbitrary: nonsense })
}

function leaves(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return path.length ? [path] : []
  return [
    ...(path.length ? [path] : []),
    ...Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key])),
  ]
}

function put(target: unknown, [key = '', ...rest]: string[], value: unknown) {
  if (typeof target !== 'object' || target === null) return
  if (rest.length === 0) Reflect.set(target, key, value)
  else put(Reflect.get(target, key), rest, value)
}

const asText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
const safeQuery = (entries: [string, string][]) =>
  new URLSearchParams(entries.map(([k, v]) => [k.toWellFormed(), v.slice(0, 2000).toWellFormed()])).toString()

/** The name of a field as programs know it, which the dashboard shows to nobody. */
const RAW_NAME = /[a-z]_[a-z]/

describe.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s',
  (_, endpoint) => {
    test('malformed input gets a clear error without names of fields, never a status of 500', async ({
      server,
      world,
      keys,
      known,
    }) => {
      const names = Object.keys((endpoint.query as { shape?: object } | undefined)?.shape ?? { a: 1 })
      const path = samplePath(endpoint, known)
      const input = fc.record({
        token: fc.constantFrom(world.ada.token, world.carla.token, undefined, 'pas_x', '\u007f', ...keys),
        id: fc.oneof(
          fc.constant(path),
          nonsense.map((id) =>
            path.replace(String(known.id), encodeURIComponent(asText(id).slice(0, 200).toWellFormed())),
          ),
        ),
        query: fc.array(fc.tuple(fc.constantFrom(...names), nonsense.map(asText)), { maxLength: 3 }),
        body: spoil(sampleBody(endpoint, known) ?? {}),
      })
      await fc.assert(
        fc.asyncProperty(input, async ({ token, id, query, body }) => {
          // Signing out would end the test's session.
          const isFarewell = endpoint.method === 'DELETE' && /session/.test(endpoint.path)
          const answer = await server.request(endpoint.method, `${id}?${safeQuery(query)}`, {
            token: isFarewell ? 'pas_x' : token,
            body: endpoint.method === 'GET' ? undefined : body,
            headers: endpoint.method === 'GET' ? {} : { 'content-type': 'application/json' },
          })
          expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
          if (answer.status >= 400 && endpoint.method !== 'GET')
            expect(answer.body.error.message.length).toBeGreaterThan(3)
          if (answer.status >= 400 && token === world.ada.token)
            expect(errorText(new ApiError(answer.status, answer.body.error.message, answer.body))).not.toMatch(RAW_NAME)
        }),
        { numRuns: 40, seed: 20_261_121 },
      )
      expect((await server.request('GET', '/health')).status).toBe(200)
    })
  },
)

describe.each(Object.entries(TOPICS))('topic %s', (pattern, { accepts }) => {
  test('malformed joins and pushes get an error, and the socket stays open', async ({ world, known, openSocket }) => {
    const socket = openSocket({ token: world.ada.token })
    const visitor = openSocket({ visitor_token: world.carla.token })
    const topic = pattern.replace(/\{(\w+)\}/g, (_, name) => String(known[name]))
    const input = fc.record({
      name: fc.oneof(
        fc.constant(topic),
        nonsense.map((id) => pattern.replace(/\{\w+\}/, asText(id).slice(0, 200))),
      ),
      event: fc.constantFrom(...accepts, 'phx_join', 'nonsense', ''),
      payload: fc.oneof(
        nonsense,
        spoil({ ...known, body: 'x', sent_at: 'x', file_ids: ['x'], metadata: {}, typing: true }),
      ),
    })
    await fc.assert(
      fc.asyncProperty(input, async ({ name, event, payload }) => {
        for (const client of [socket, visitor]) {
          const channel = client.socket.channel(name, payload as object)
          channel.join().receive('error', () => channel.leave())
          channel.push(event || 'x', payload as object)
          channel.leave()
        }
      }),
      { numRuns: 60, seed: 20_261_121 },
    )
    const joined = await socket.join(`notification:${world.acme.id}`)
    expect(await joined.push('ping', { still: 'here' })).toEqual({ still: 'here' })
  })
})
