import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { vi } from 'vitest'
import { type BacklogName, type HealthReport, health } from '#contract/operations/health.ts'
import { createLog } from '#server/platform/log.ts'
import { type Caller, expect, test } from '#tests/support/fixture.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import type { World } from '#tests/support/world.ts'

const TIMEOUT = { timeout: 10_000, interval: 50 }
const report = async (call: Caller) => (await call(health.report)).data
const countOf = ({ backlogs }: Pick<HealthReport, 'backlogs'>, name: BacklogName) =>
  backlogs.find((backlog) => backlog.name === name)!.count!

/** A mail that the mail server has refused. */
async function failMail({ context }: TestServer, { acme }: World) {
  const mail = { account_id: acme.id, id: randomUUID(), kind: 'reply', recipient: 'nobody@visitor.test' }
  const content = { subject: 'Hello', text: 'Hello', html: 'Hello', failed_at: new Date().toISOString() }
  await context.db
    .insertInto('mails')
    .values({ ...mail, ...content })
    .execute()
}

test('an admin sees failures of their own account, and nobody else does', async ({ as, server, world }) => {
  const [ours, theirs] = [await report(as.ada), await report(as.olga)]
  await failMail(server, world)
  expect(countOf(await report(as.ada), 'mails').failed).toBe(countOf(ours, 'mails').failed + 1)
  expect((await report(as.olga)).backlogs).toEqual(theirs.backlogs)
})

test('servers, database, disk and totals are visible only to the account that set up the installation', async ({
  as,
  server,
  world,
}) => {
  expect((await report(as.olga)).installation).toBeNull()
  const { installation } = await report(as.ada)
  expect(installation).toMatchObject({
    version: server.context.version,
    companies: expect.any(Number),
    database_bytes: expect.any(Number),
    disk: { free_bytes: expect.any(Number), total_bytes: expect.any(Number) },
    sends_mail: false,
    checks: ['database', 'migrations', 'storage', 'bus', 'files'].map((name) => ({ name, ok: true })),
  })
  expect(installation!.companies).toBeGreaterThan(1)
  expect(installation!.consumers.map(({ name }) => name)).toContain('notifications.followMessages')
  expect(countOf(installation!, 'mails').failed).toBeGreaterThanOrEqual(countOf(await report(as.ada), 'mails').failed)
  expect(world.acme.id).toBeTruthy()
})

test('a mail server that cannot be used is reported from the start, with the reason', async ({ as, server, world }) => {
  const free = await startMailServer()
  await free.close()
  const second = await startTestServer({ SMTP_URL: free.url }, undefined, server.database)
  const problem = async () => {
    const { body } = await second.request('GET', '/api/health_report', { token: world.ada.token })
    return body.data.installation.mail_problem
  }
  await expect.poll(problem, TIMEOUT).toContain('Nothing listens on this port')
  await second.close()
  expect((await report(as.ada)).installation!.mail_problem).toBe(null)
})

test('calls with a wrong signature are counted, and reported once per system', async ({ as, server }) => {
  const before = await report(as.ada)
  expect(before.installation!.refused_signatures).toEqual([])
  const call = (path: string) => server.request('POST', path, { body: { type: 'event_callback' } })
  for (const path of ['/api/slack/webhook', '/api/slack/actions', '/api/mattermost/webhook']) {
    expect((await call(path)).status).toBe(401)
  }
  const { refused_signatures } = (await report(as.ada)).installation!
  expect(refused_signatures.map(({ system, count }) => [system, count])).toEqual([
    ['slack', 2],
    ['mattermost', 1],
  ])
  const [slack] = refused_signatures
  expect(Date.parse(slack!.last_at)).toBeGreaterThanOrEqual(Date.parse(slack!.first_at))
})

test('members are refused', async ({ as }) => {
  await expect(report(as.ben)).rejects.toMatchObject({ status: 401 })
})

test('each server that runs is listed until it stops, and one that died is missing until it is started again', async ({
  as,
  server,
}) => {
  const names = async () => (await report(as.ada)).installation!.servers.map(({ is_this }) => is_this)
  await expect.poll(names, TIMEOUT).toEqual([true])
  const second = await startTestServer({}, undefined, server.database)
  await expect.poll(names, TIMEOUT).toEqual([true, false])
  await second.close()
  await expect.poll(names, TIMEOUT).toEqual([true])

  const long_ago = new Date(Date.now() - 5 * 60_000).toISOString()
  const died = { id: randomUUID(), name: 'attic', version: '0.0.9', started_at: long_ago, seen_at: long_ago }
  await server.context.db.insertInto('servers').values(died).execute()
  const { servers } = (await report(as.ada)).installation!
  expect(servers.find(({ id }) => id === died.id)).toMatchObject({ name: 'attic', is_missing: true, is_this: false })
  const again = { ...died, id: randomUUID(), started_at: new Date().toISOString(), seen_at: new Date().toISOString() }
  await server.context.db.insertInto('servers').values(again).execute()
  const { servers: now } = (await report(as.ada)).installation!
  expect(now.filter(({ name }) => name === 'attic').map(({ id, is_missing }) => [id, is_missing])).toEqual([
    [again.id, false],
  ])
  await server.context.db.deleteFrom('servers').where('id', '=', again.id).execute()
  await server.context.db.deleteFrom('servers').where('id', '=', died.id).execute()
})

test('a server whose clock is off says so once in its log, in its metrics and to the admin', async ({ as, server }) => {
  const warnings: string[] = []
  const destination = new Writable({
    write(line, _encoding, done) {
      warnings.push(JSON.parse(String(line)).msg)
      done()
    },
  })
  const others = async () => (await report(as.ada)).installation!.servers.filter(({ is_this }) => !is_this)
  expect((await report(as.ada)).installation!.servers[0]!.clock_ahead_seconds).toBe(0)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90_000 })
  const second = await startTestServer({}, undefined, server.database, createLog('warn', destination))
  try {
    await expect.poll(others, TIMEOUT).toMatchObject([{ clock_ahead_seconds: expect.closeTo(90, -1) }])
    const { body } = await second.request('GET', '/metrics')
    expect(Number(/^parley_clock_ahead_seconds (.+)$/m.exec(String(body))![1])).toBeCloseTo(90, -1)
  } finally {
    vi.useRealTimers()
    await second.close()
  }
  expect(warnings.filter((line) => line.includes('clock'))).toEqual([
    expect.stringMatching(/is (8\d|9\d) seconds ahead of the database's\. Correct it/),
  ])
})

test('two servers on one database without Redis are reported by /ready, unless one of them had ended before', async ({
  server,
}) => {
  const bus = async () => (await server.request('GET', '/ready')).body.bus
  const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString()
  const other = { id: randomUUID(), name: 'attic', version: '0.0.9' }
  const { db } = server.context
  const start = (started_at: string, seen_at: string) =>
    db
      .insertInto('servers')
      .values({ ...other, started_at, seen_at })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ started_at, seen_at }))
      .execute()
  const { started_at } = await db
    .selectFrom('servers')
    .select('started_at')
    .orderBy('seen_at', 'desc')
    .executeTakeFirstOrThrow()
  await start(ago(3600), new Date(Date.parse(started_at) - 1).toISOString())
  expect(await bus()).toEqual({ ok: true })
  await start(ago(3600), ago(0))
  expect(await bus()).toEqual({ ok: true, says: expect.stringContaining('REDIS_URL') })
  expect((await server.request('GET', '/ready')).status).toBe(200)
  await db.deleteFrom('servers').where('id', '=', other.id).execute()
})

test('a failing webhook and a broken connection are reported', async ({ as, server, world }) => {
  const account_id = world.acme.id
  const before = await report(as.ada)
  const subscription = { account_id, id: randomUUID(), webhook_url: 'https://hooks.acme.test', verified: true }
  await server.context.db
    .insertInto('event_subscriptions')
    .values({ ...subscription, events: ['message:created'], failing_since: new Date().toISOString() })
    .execute()
  expect((await report(as.ada)).webhooks.failing).toBe(before.webhooks.failing + 1)
  expect((await report(as.olga)).webhooks.failing).toBe(0)
  await server.context.db
    .deleteFrom('event_subscriptions')
    .where('account_id', '=', account_id)
    .where('id', '=', subscription.id)
    .execute()
})
