import { randomUUID } from 'node:crypto'
import { defineMetric } from '#server/metric.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { authorizeScraper } from './admit-scraper.ts'

const broken = defineMetric('parley_tests_broken', {
  help: 'Is never read.',
  type: 'gauge',
  labels: [],
  read: () => Promise.reject(new Error('The database took too long.')),
})
const test = base.extend('extra', { scope: 'file' }, { feature: { name: 'tests', metrics: [broken] } })

const TIMEOUT = { timeout: 15_000, interval: 250 }
const scrape = async (server: TestServer): Promise<string> => (await server.request('GET', '/metrics')).body
/** The value of the line that begins with this. */
const valueIn = (text: string, line: string) =>
  Number(
    text
      .split('\n')
      .find((sample) => sample.startsWith(`${line} `))
      ?.slice(line.length + 1) ?? Number.NaN,
  )

test('requests are counted by the pattern of their path and their status', async ({ server, world }) => {
  await scrape(server)
  const { token } = world.ada
  for (const id of [randomUUID(), randomUUID()]) await server.request('GET', `/api/conversations/${id}`, { token })
  await server.request('GET', `/nowhere/${randomUUID()}.txt`)
  const text = await scrape(server)
  const count = (labels: string) => valueIn(text, `parley_http_request_seconds_count{${labels}}`)
  expect(count('method="GET",route="/api/conversations/:id",status="404"')).toBe(2)
  expect(count('method="GET",route="/metrics",status="200"')).toBe(1)
})

test('metrics contain no ids, addresses or names', async ({ server, world }) => {
  const { token } = world.ada
  await scrape(server)
  await server.request('GET', `/api/customers/${world.carla.customer_id}`, { token })
  await server.request('GET', `/api/users/${world.ada.id}?email=${world.ada.email}`, { token })
  await server.request('POST', `/${world.acme.id}/${world.ada.email}`)
  const text = await scrape(server)
  expect(text).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/i)
  expect(text).not.toContain('@')
  expect(text.toLowerCase()).not.toContain('acme')
})

test('there are metrics of the backlog, sockets, the pool, consumers and the event loop', async ({ server }) => {
  const text = await scrape(server)
  for (const work of ['jobs', 'mails', 'webhooks', 'deliveries', 'inbound_events', 'function_runs']) {
    expect(valueIn(text, `parley_backlog{work="${work}",state="waiting"}`)).toBeGreaterThanOrEqual(0)
    expect(valueIn(text, `parley_backlog_overdue_seconds{work="${work}"}`)).toBeGreaterThanOrEqual(0)
    expect(valueIn(text, `parley_backlog_counted{work="${work}"}`)).toBe(1)
  }
  for (const line of [
    'parley_sockets',
    'parley_database_connections{pool="main",state="waiting"}',
    'parley_database_slow_statements_total{pool="main"}',
    'parley_consumer_lag_seconds{consumer="notifications.followMessages"}',
    'parley_disk_bytes{state="free"}',
    'parley_database_size_bytes',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
  ])
    expect(valueIn(text, line), line).toBeGreaterThanOrEqual(0)
  expect(text).toMatch(/^parley_build_info\{version="[\d.]+",node="[\d.]+"\} 1$/m)
})

test('the backlog of all accounts is counted, including failed mails', async ({ server, world }) => {
  const failed = async () => valueIn(await scrape(server), 'parley_backlog{work="mails",state="failed"}')
  const before = await failed()
  const mail = {
    account_id: world.acme.id,
    id: randomUUID(),
    kind: 'reply',
    recipient: 'nobody@visitor.test',
    subject: 'Hello',
    text: 'Hello',
    html: 'Hello',
    failed_at: new Date().toISOString(),
  }
  await server.context.db.insertInto('mails').values(mail).execute()
  await expect.poll(failed, TIMEOUT).toBe(before + 1)
  await server.context.db
    .deleteFrom('mails')
    .where('account_id', '=', mail.account_id)
    .where('id', '=', mail.id)
    .execute()
})

test('an unreadable metric is left out and counted, and the others are returned', async ({ server }) => {
  const text = await scrape(server)
  expect(valueIn(text, 'parley_tests_broken')).toBeNaN()
  expect(valueIn(text, 'parley_metrics_failed_total{metric="parley_tests_broken"}')).toBeGreaterThan(0)
  expect(valueIn(text, 'parley_sockets')).toBe(0)
})

test('without a token metrics are available only from this machine and its network, and not through a proxy', async ({
  server,
}) => {
  const from = async (remoteAddress: string, headers: Record<string, string> = {}) =>
    (await server.app.inject({ method: 'GET', url: '/metrics', remoteAddress, headers })).statusCode
  for (const peer of ['127.0.0.1', '::1', '10.1.2.3', '172.17.0.1', '192.168.1.9', '::ffff:10.0.0.1', 'fd00::1'])
    expect(await from(peer), peer).toBe(200)
  for (const peer of ['203.0.113.7', '8.8.8.8', '2001:db8::1', '::ffff:8.8.8.8'])
    expect(await from(peer), peer).toBe(403)
  for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'])
    expect(await from('127.0.0.1', { [header]: '127.0.0.1' }), header).toBe(403)
})

test('behind a proxy, which may forward requests without saying so, they need a token', async ({ server }) => {
  for (const [name, value] of Object.entries({ TRUST_PROXY: '1', BASE_URL: 'https://chat.acme.test' })) {
    const behind = await startTestServer({ [name]: value }, undefined, server.database)
    const { status, body } = await behind.request('GET', '/metrics')
    await behind.close()
    expect([status, body.error?.message ?? body]).toEqual([403, expect.stringContaining('METRICS_TOKEN')])
  }
})

test('with a token they are available only to callers that send it', async ({ server }) => {
  const env = { METRICS_TOKEN: 'a token of sixteen characters' }
  const guarded = await startTestServer(env, undefined, server.database)
  const from = async (authorization?: string) =>
    (await guarded.request('GET', '/metrics', { headers: { ...(authorization && { authorization }) } })).status
  expect(await from()).toBe(401)
  expect(await from('Bearer a token of sixteen character')).toBe(401)
  expect(await from('a token of sixteen characters')).toBe(401)
  expect(await from(`Bearer ${env.METRICS_TOKEN}`)).toBe(200)
  await guarded.close()
  const peer = '203.0.113.7'
  authorizeScraper(guarded.context.config, { headers: { authorization: `Bearer ${env.METRICS_TOKEN}` }, peer })
})
