import { randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, vi } from 'vitest'
import { audit } from '#contract/accounts/audit.ts'
import { messages } from '#contract/conversations/messages.ts'
import { erasure } from '#contract/customers/erasure.ts'
import { eventSubscriptions } from '#contract/developers/webhooks.ts'
import { expect } from '#tests/support/fixture.ts'
import {
  bodies,
  closeReceivers,
  passTime,
  receiver,
  removeWebhooks,
  renewReceiver,
  startOneReceiver,
  subscribe,
  TIMEOUT,
  test,
  writeAsVisitor,
} from '#tests/support/webhooks.ts'

test.beforeEach(renewReceiver)
test.afterEach(({ as }) => removeWebhooks(as))
afterAll(closeReceivers)

test('a URL is verified by returning a text, and must have a path', async ({ as }) => {
  const verify = async (url: string) => (await as.ada(eventSubscriptions.verify, { body: { url } })).data.verified
  expect(await verify(`${receiver.url}/hook`)).toBe(true)
  expect(await verify(`${receiver.url}/nobody`)).toBe(false)
  receiver.answer(({ body }, response) => void response.end(JSON.stringify({ challenge: body.payload })))
  expect(await verify(`${receiver.url}/nobody`)).toBe(true)
  for (const wrong of [receiver.url, 'ftp://a.b/c', 'nonsense', '', 'http://169.254.169.254/hook', 'http://10.0.0.1/x'])
    expect(await verify(wrong), wrong).toBe(false)
})

test('a URL that is not verified is answered with what is wrong', async ({ as }) => {
  const { port } = new URL(receiver.url)
  const wrongs = {
    nonsense: { problem: 'not_a_url' },
    'ftp://a.b/c': { problem: 'not_a_url' },
    [receiver.url]: { problem: 'no_path' },
    'http://10.0.0.1/x': { problem: 'private_address' },
    [`https://127.0.0.1:${port}/hook`]: { problem: 'unreachable' },
    [`${receiver.url}/nobody`]: { problem: 'no_challenge' },
  }
  const verify = async (url: string) => (await as.ada(eventSubscriptions.verify, { body: { url } })).data
  for (const [url, problem] of Object.entries(wrongs)) {
    expect(await verify(url), url).toEqual({ verified: false, ...problem })
  }
  receiver.answer((_call, response) => void response.writeHead(404).end())
  expect(await verify(`${receiver.url}/nobody`)).toEqual({ verified: false, problem: 'status', status: 404 })
})

test('a message arrives in the format of Papercups, signed as Standard Webhooks specifies', async ({
  as,
  server,
  world,
}) => {
  const { id } = await subscribe(as.ada)
  const { secret } = (await as.ada(eventSubscriptions.reveal, { params: { id } })).data
  const { conversation_id, message } = await writeAsVisitor(server, world, 'Hello hook')
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), TIMEOUT)
  const [created, posted] = receiver.received
  expect(created?.body).toMatchObject({
    event: 'conversation:created',
    payload: { id: conversation_id, object: 'conversation' },
  })
  expect(Object.keys(posted!.body)).toEqual(['event', 'payload'])
  expect(posted?.body).toMatchObject({
    event: 'message:created',
    payload: { id: message.id, body: 'Hello hook', conversation_id, customer: { name: 'Walker' }, attachments: [] },
  })
  const headers = posted!.headers as Record<string, string>
  expect(headers['content-type']).toBe('application/json')
  expect(new Webhook(secret).verify(posted!.text, headers)).toEqual(posted?.body)
  expect(() => new Webhook(secret).verify(`${posted!.text} `, headers)).toThrow()
})

test('for a day after a rotation the old secret and the new one both verify', async ({ as, server, world }) => {
  const { id } = await subscribe(as.ada)
  const old = (await as.ada(eventSubscriptions.reveal, { params: { id } })).data.secret
  const { secret } = (await as.ada(eventSubscriptions.rotate, { params: { id } })).data
  expect((await as.ada(eventSubscriptions.reveal, { params: { id } })).data.secret).toBe(secret)
  await writeAsVisitor(server, world, 'Rotated')
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), TIMEOUT)
  for (const validSecret of [old, secret]) {
    const { text, headers } = receiver.received[0]!
    expect(new Webhook(validSecret).verify(text, headers as Record<string, string>)).toBeTruthy()
  }
  const { data } = await as.ada(audit.list, { query: { action: 'webhook' } })
  expect(data.slice(0, 4).map(({ action }) => action)).toEqual([
    'webhook.secret_revealed',
    'webhook.secret_rotated',
    'webhook.secret_revealed',
    'webhook.created',
  ])
  expect(JSON.stringify(data)).not.toContain(secret)
})

test('a webhook receives the chosen events, the first two by default, and those named by scope', async ({
  as,
  server,
  world,
}) => {
  expect((await subscribe(as.ada)).events).toEqual(['message:created', 'conversation:created'])
  expect((await subscribe(as.ada, { scope: 'conversation:updated' })).events).toEqual([
    'message:created',
    'conversation:created',
    'conversation:updated',
  ])
  const other = await startOneReceiver()
  await subscribe(as.ada, { events: ['customer:updated'] }, other)
  const { visitor } = await writeAsVisitor(server, world, 'Who am I?')
  const customer = { name: 'Wanda' }
  await server.request('PUT', `/api/customers/${visitor.customer_id}`, { token: world.ada.token, body: { customer } })
  await vi.waitFor(() => expect(other.received.at(-1)?.body.payload.name).toBe('Wanda'), TIMEOUT)
  expect(new Set(other.received.map(({ body }) => body.event))).toEqual(new Set(['customer:updated']))
})

test('a program can choose not to receive its own messages', async ({ as, server, world }) => {
  await subscribe(as.ada)
  const { conversation_id } = await writeAsVisitor(server, world, 'Question')
  const message = { conversation_id, body: 'Silent', metadata: { disable_webhook_events: true } }
  await as.ada(messages.create, { body: { message } })
  await as.ada(messages.create, { body: { message: { conversation_id, body: 'Loud' } } })
  await vi.waitFor(() => expect(bodies()).toContain('Loud'), TIMEOUT)
  expect(bodies()).not.toContain('Silent')
})

test('redirects are not followed, and private addresses are not called', async ({ as, server, world }) => {
  const { id } = await subscribe(as.ada, { events: ['message:created'] })
  receiver.answer((_, response) => void response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end())
  await writeAsVisitor(server, world, 'redirected')
  const last = async () => (await as.ada(eventSubscriptions.deliveries, { params: { id } })).data[0]?.last
  await vi.waitFor(async () => expect(await last()).toMatchObject({ status: 302 }), TIMEOUT)
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hook'])
  await server.context.db
    .updateTable('event_subscriptions')
    .set({ webhook_url: 'http://10.0.0.1/x' })
    .where('id', '=', id)
    .execute()
  await passTime(server)
  await vi.waitFor(async () => expect((await last())?.error).toMatch(/private address/), TIMEOUT)
})

test('a delivery is sent again on request with the same id', async ({ as, server, world }) => {
  const { id } = await subscribe(as.ada, { events: ['message:created'] })
  await writeAsVisitor(server, world, 'again')
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), TIMEOUT)
  const delivery_id = String(receiver.received[0]?.headers['webhook-id'])
  await vi.waitFor(async () => {
    const { data } = await as.ada(eventSubscriptions.delivery, { params: { id, delivery_id } })
    expect(data.state).toBe('delivered')
  }, TIMEOUT)
  await as.ada(eventSubscriptions.resend, { params: { id, delivery_id } })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), TIMEOUT)
  expect(receiver.received[1]?.headers['webhook-id']).toBe(delivery_id)
})

test('texts of deleted messages and erased customers are in no log', async ({ as, server, world }) => {
  const { id } = await subscribe(as.ada, { events: ['message:created', 'message:deleted'] })
  const { conversation_id, visitor } = await writeAsVisitor(server, world, 'quokka in the pantry')
  const { data: posted } = await as.ada(messages.create, { body: { message: { conversation_id, body: 'numbat too' } } })
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), TIMEOUT)
  await as.ada(messages.remove, { params: { id: posted.id } })
  await vi.waitFor(() => expect(receiver.received.at(-1)?.body.event).toBe('message:deleted'), TIMEOUT)
  const stored = async () =>
    JSON.stringify(await server.context.db.selectFrom('webhook_deliveries').selectAll().execute())
  expect(await stored()).not.toContain('numbat')
  expect(await stored()).toContain('quokka')
  await as.ada(erasure.erase, { params: { id: visitor.customer_id } })
  expect(await stored()).not.toContain('quokka')
  expect((await as.ada(eventSubscriptions.deliveries, { params: { id } })).data).toEqual([])
})

test('an update without a URL keeps it verified, and a new URL is verified again', async ({ as }) => {
  const { id } = await subscribe(as.ada)
  const update = async (event_subscription: object) =>
    (await as.ada(eventSubscriptions.update, { params: { id }, body: { event_subscription } })).data
  expect(await update({ scope: 'conversation:updated' })).toMatchObject({ verified: true })
  expect(await update({ webhook_url: `${receiver.url}/nobody` })).toMatchObject({ verified: false })
  expect(await update({ is_enabled: false })).toMatchObject({ state: 'off' })
})

test('accounts cannot see each other’s webhooks', async ({ as }) => {
  const { id } = await subscribe(as.ada)
  const delivery_id = randomUUID()
  for (const request of [
    () => as.olga(eventSubscriptions.get, { params: { id } }),
    () => as.olga(eventSubscriptions.rotate, { params: { id } }),
    () => as.olga(eventSubscriptions.deliveries, { params: { id } }),
    () => as.olga(eventSubscriptions.resend, { params: { id, delivery_id } }),
    () => as.olga(eventSubscriptions.resendSince, { params: { id }, body: { since: '2026-01-01' } }),
  ])
    await expect(request()).rejects.toThrow('Not found')
  await expect(as.ben(eventSubscriptions.list)).rejects.toThrow('Unauthorized access')
})
