import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from './support/server.ts'
import { createWorld, startConversation, startVisitor, type World } from './support/world.ts'

// A team of many and their programs change the same few things at once, and delete them under each other's hands. Some
// come too late and are told so; nobody gets a fault.

let server: TestServer
let world: World
/** What there is of each kind; most of it is deleted again and again. */
const pools: Record<string, string[]> = {}

beforeAll(async () => {
  server = await startTestServer()
  world = await createWorld(server)
})
afterAll(() => server.close())

interface Step {
  act: keyof typeof ACTS
  one: number
  other: number
}

const ask = (method: string, path: string, body?: object) =>
  server.request(method, path, { token: world.ada.token, body })
const id = (pool: string, place: number) => pools[pool]![place % pools[pool]!.length]!
const of = (pool: string, at: number) => `/api/${pool}/${id(pool, at)}`

const ACTS = {
  'tag a conversation': ({ one, other }: Step) =>
    ask('POST', `${of('conversations', one)}/tags`, { tag_id: id('tags', other) }),
  'tag a customer': ({ one, other }: Step) =>
    ask('POST', `${of('customers', one)}/tags`, { tag_id: id('tags', other) }),
  'delete a tag': ({ one }: Step) => ask('DELETE', of('tags', one)),
  'rename a tag': ({ one, other }: Step) => ask('PUT', of('tags', one), { tag: { name: `tag ${other}` } }),
  'link an issue': ({ one, other }: Step) =>
    ask('POST', `${of('customers', one)}/issues`, { issue_id: id('issues', other) }),
  'delete an issue': ({ one }: Step) => ask('DELETE', of('issues', one)),
  'write down an issue of a customer': ({ one }: Step) =>
    ask('POST', '/api/issues', { issue: { title: 'Lamp', customer_id: id('customers', one) } }),
  'write a note': ({ one }: Step) =>
    ask('POST', '/api/notes', { note: { body: 'Oak', customer_id: id('customers', one) } }),
  'say where a customer works': ({ one, other }: Step) =>
    ask('PUT', of('customers', one), { customer: { company_id: id('companies', other) } }),
  'delete a company': ({ one }: Step) => ask('DELETE', of('companies', one)),
  'merge two customers': ({ one, other }: Step) =>
    ask('POST', `${of('customers', one)}/merge`, { customer_id: id('customers', other) }),
  'part them': ({ one }: Step) => ask('POST', `${of('customers', one)}/unmerge`),
  'delete a customer': ({ one }: Step) => ask('DELETE', of('customers', one)),
  'erase a customer': ({ one }: Step) => ask('POST', `${of('customers', one)}/erase`),
  'begin a conversation': ({ one }: Step) =>
    ask('POST', '/api/conversations', {
      conversation: { customer_id: id('customers', one), message: { body: 'Hello' } },
    }),
  answer: ({ one }: Step) =>
    ask('POST', '/api/messages', { message: { conversation_id: id('conversations', one), body: 'Here' } }),
  'close a conversation': ({ one, other }: Step) =>
    ask('PUT', of('conversations', one), {
      conversation: { status: other % 2 ? 'closed' : 'open', inbox_id: id('inboxes', other) },
    }),
  'delete a conversation': ({ one }: Step) => ask('POST', `${of('conversations', one)}/archive`),
  'delete an inbox': ({ one, other }: Step) => ask('DELETE', `${of('inboxes', one)}?move_to=${id('inboxes', other)}`),
  'keep a reply': ({ one }: Step) =>
    ask('POST', '/api/canned_responses', { canned_response: { name: `reply ${one}`, content: 'Yes' } }),
}

/** Makes three of everything that is deleted. */
async function beginAnew() {
  for (const pool of ['customers', 'conversations', 'tags', 'issues', 'companies', 'inboxes']) pools[pool] = []
  for (let place = 0; place < 3; place++) {
    const visitor = await startVisitor(server, world.acme.id, { name: `Visitor ${place}` })
    const { conversation_id } = await startConversation(server, visitor)
    pools.customers!.push(visitor.customer_id)
    pools.conversations!.push(conversation_id)
    for (const [pool, body] of [
      ['tags', { tag: { name: randomUUID() } }],
      ['issues', { issue: { title: 'Door' } }],
      ['companies', { company: { name: 'Harbour' } }],
      ['inboxes', { inbox: { name: randomUUID() } }],
    ] as const) {
      pools[pool]!.push((await ask('POST', `/api/${pool}`, body)).body.data.id)
    }
  }
}

test('what many change and delete at once is changed, or refused with a reason', async () => {
  const step = fc.record({
    act: fc.constantFrom(...(Object.keys(ACTS) as Step['act'][])),
    one: fc.nat(2),
    other: fc.nat(2),
  })
  const crowd = fc.array(step, { minLength: 24, maxLength: 24 })
  await fc.assert(
    fc.asyncProperty(crowd, async (steps) => {
      await beginAnew()
      const answers = await Promise.all(
        steps.map(async (wish) => ({ act: wish.act, status: (await ACTS[wish.act](wish)).status })),
      )
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    }),
    { numRuns: 12, seed: 20_261_122, endOnFailure: true },
  )
})
