import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkReadiness } from '#server/features/operations/readiness.ts'
import { eachMessage, messageJob } from './support/each-message.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { TestSocket } from './support/sockets.ts'
import { createWorld, startConversation, startVisitor, type World } from './support/world.ts'

let server: TestServer
let world: World
let isBroken = true
const done: string[] = []
const remember = messageJob('tests.remember', async (_parley, { message_id }) => {
  if (isBroken) throw new Error('The outside world is away.')
  done.push(message_id)
})

beforeAll(async () => {
  server = await startTestServer(
    { RATE_LIMITS: 'on' },
    {
      name: 'tests',
      consumers: [eachMessage('tests.remember', remember)],
      jobs: [remember],
    },
  )
  world = await createWorld(server)
})
afterAll(() => server.close())

test('work that fails for good is listed to the account’s admin, and can be put back in line', async () => {
  const { message } = await startConversation(server, world.carla)
  const dead = async (token = world.ada.token) => (await server.request('GET', '/api/dead_jobs', { token })).body.data
  const giveUp = async () =>
    (
      await server.context.db
        .updateTable('jobs.job' as 'messages')
        .set({ retry_limit: 0 } as never)
        .where('name' as 'id', '=', 'tests.remember')
        .executeTakeFirst()
    ).numUpdatedRows
  await expect.poll(giveUp, { timeout: 5_000 }).toBeGreaterThan(0)
  await expect
    .poll(async () => (await dead()).map((job: { error: string }) => job.error), { timeout: 15_000 })
    .toContainEqual(expect.stringContaining('outside world'))
  expect(await dead(world.olga.token)).toEqual([])
  isBroken = false
  const [job] = await dead()
  expect((await server.request('POST', `/api/dead_jobs/${job.id}/retry`, { token: world.olga.token })).status).toBe(404)
  expect((await server.request('POST', `/api/dead_jobs/${job.id}/retry`, { token: world.ada.token })).status).toBe(200)
  await expect.poll(() => done, { timeout: 15_000 }).toContain(message.id)
})

test('who asks whether the server is ready learns that the database is away, and not where it is', async () => {
  const migrations = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5:5432'))
  expect(await checkReadiness({ ...server.context, migrations })).toEqual({
    ok: false,
    database: { ok: true },
    migrations: { ok: false, says: 'The database does not answer.' },
    storage: { ok: true },
    bus: { ok: true },
    consumers: { ok: true },
  })
})

test('a visitor who floods is told how long to wait, and the others go on', async () => {
  const { conversation_id } = await startConversation(server, world.carla)
  const post = (token: string, id = conversation_id) =>
    server.request('POST', '/api/messages', { token, body: { message: { conversation_id: id, body: 'again' } } })
  const answers = await Promise.all(Array.from({ length: 60 }, () => post(world.carla.token)))
  const refused = answers.filter((answer) => answer.status === 429)
  expect(refused.length).toBeGreaterThan(20)
  expect(Number(refused[0]!.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused[0]!.body.error).toMatchObject({
    reason: 'rate_limited',
    message: expect.stringMatching(/Try again in \d+ second/),
  })
  const calm = await startVisitor(server, world.acme.id)
  expect((await startConversation(server, calm)).message.body).toBe('Hello?')
})

test('a flood over a socket gets the same answer', async () => {
  const visitor = await startVisitor(server, world.acme.id)
  const { conversation_id } = await startConversation(server, visitor)
  const socket = new TestSocket(server.url, { visitor_token: visitor.token })
  const joined = await socket.join(`conversation:${conversation_id}`)
  const pushes = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => joined.push('shout', { body: `${i}` })))
  const refused = pushes.filter((push) => push.status === 'rejected')
  expect(refused.length).toBeGreaterThan(10)
  expect(String(refused[0]!.reason)).toContain('rate_limited')
  socket.close()
})

test('guessing passwords is slowed for the e-mail, whoever guesses and however it is spelt', async () => {
  const guess = (email: string) =>
    server.request('POST', '/api/session', { body: { user: { email, password: 'guess' } } })
  const statuses = []
  for (let i = 0; i < 14; i++) statuses.push((await guess(`${' '.repeat(i)}Ada@acme.test`)).status)
  expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
  expect(statuses.at(-1)).toBe(429)
})
