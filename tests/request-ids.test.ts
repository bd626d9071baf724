import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '#server/platform/log.ts'
import { eachMessage, messageJob } from './support/each-message.ts'
import { type Json, startTestServer, type TestServer } from './support/server.ts'
import { startReceiver, type WebhookReceiver } from './support/webhook-receiver.ts'
import { createWorld, startConversation, type World } from './support/world.ts'

const TIMEOUT = { timeout: 15_000, interval: 50 }
const job = messageJob('tests.remember', async () => undefined)
const lines: Json[] = []

let server: TestServer
let world: World
let receiver: WebhookReceiver

beforeAll(async () => {
  const destination = new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)))
      done()
    },
  })
  server = await startTestServer(
    { TRUST_PROXY: '1', REACHABLE_HOSTS: '127.0.0.1' },
    { name: 'tests', consumers: [eachMessage('tests.remember', job)], jobs: [job] },
    undefined,
    createLog('debug', destination),
  )
  world = await createWorld(server)
  receiver = await startReceiver()
})
afterAll(async () => {
  await receiver.close()
  await server.close()
})

/** The log lines of a request, in order. */
const messagesOf = (request_id: unknown) => lines.filter((line) => line.request_id === request_id).map(({ msg }) => msg)

async function post(headers: Record<string, string> = {}) {
  const { conversation_id } = await startConversation(server, world.carla)
  const message = { conversation_id, body: 'We are looking into it.' }
  const answer = await server.request('POST', '/api/messages', { token: world.ada.token, body: { message }, headers })
  expect(answer.status).toBe(201)
  return answer.headers['x-request-id'] as string
}

test('log lines of jobs, webhooks and mails contain the id of the request that caused them', async () => {
  const event_subscription = { webhook_url: `${receiver.url}/hook` }
  const { token } = world.ada
  await server.request('POST', '/api/event_subscriptions', { token, body: { event_subscription } })
  const id = await post({ 'x-request-id': 'from-the-proxy:1' })
  expect(id).toBe('from-the-proxy:1')
  await expect
    .poll(() => messagesOf(id), TIMEOUT)
    .toEqual(expect.arrayContaining(['A job is done', 'A webhook was called']))
  const done = lines.filter((line) => line.request_id === id && line.job === 'tests.remember')
  expect(done).toHaveLength(1)

  const { headers } = await server.request('POST', '/api/reset_password', { body: { email: world.ben.email } })
  await expect
    .poll(() => messagesOf(headers['x-request-id']), TIMEOUT)
    .toContain('A mail was passed to the mail server')
})

test('two requests at the same time do not mix their log lines', async () => {
  const ids = await Promise.all([post(), post()])
  expect(new Set(ids).size).toBe(2)
  for (const id of ids) {
    const jobs = () => lines.filter((line) => line.request_id === id && line.job === 'tests.remember')
    await expect.poll(jobs, TIMEOUT).toHaveLength(1)
  }
})

test('an id that is long or has special characters is replaced', async () => {
  for (const requestId of ['a b', '"}{', 'x'.repeat(65), '']) {
    const { headers } = await server.request('GET', '/health', { headers: { 'x-request-id': requestId } })
    expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
  }
})

test('a server without a proxy generates the id of every request', async () => {
  const alone = await startTestServer({}, undefined, server.database)
  const { headers } = await alone.request('GET', '/health', { headers: { 'x-request-id': 'chosen-by-anybody' } })
  await alone.close()
  expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
})
