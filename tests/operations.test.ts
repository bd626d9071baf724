import { authSessions } from '#contract/accounts/auth-sessions.ts'
import { operations } from '#contract/operations/operations.ts'
import { checkReadiness } from '#server/features/operations/operations/readiness.ts'
import { test as base, expect, statusOf } from '#tests/support/fixture.ts'
import { eachMessage, messageJob } from './support/each-message.ts'
import { startConversation, startVisitor } from './support/world.ts'

let isBroken = true
const done: string[] = []
const remember = messageJob('tests.remember', async (_parley, { message_id }) => {
  if (isBroken) throw new Error('The outside world is away.')
  done.push(message_id)
})

const feature = { name: 'tests', consumers: [eachMessage('tests.remember', remember)], jobs: [remember] }
const test = base
  .extend('env', { scope: 'file' }, { RATE_LIMITS: 'on' })
  .extend('extra', { scope: 'file' }, { feature })

test('work that fails for good is listed to the account’s admin, and can be put back in line', async ({
  as,
  world,
  server,
}) => {
  const { message } = await startConversation(server, world.carla)
  const dead = async (who = as.ada) => (await who(operations.deadJobs)).data
  const giveUp = async () =>
    (
      await server.context.db
        .updateTable('jobs.job' as 'messages')
        .set({ retry_limit: 0 } as never)
        .where('name' as 'id', '=', 'tests.remember')
        .executeTakeFirst()
    ).numUpdatedRows
  // Its consumer waits for open transactions, those of other test files on the same PostgreSQL included.
  await expect.poll(giveUp, { timeout: 30_000 }).toBeGreaterThan(0)
  await expect
    .poll(async () => (await dead()).map((job) => job.error), { timeout: 15_000 })
    .toContainEqual(expect.stringContaining('outside world'))
  expect(await dead(as.olga)).toEqual([])
  isBroken = false
  const params = { id: (await dead())[0]!.id }
  await expect(as.olga(operations.retryDeadJob, { params })).rejects.toMatchObject({ status: 404 })
  await as.ada(operations.retryDeadJob, { params })
  await expect.poll(() => done, { timeout: 15_000 }).toContain(message.id)
})

test('readiness reports that the database is unavailable, but not its address', async ({ server }) => {
  const migrations = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5:5432'))
  expect(await checkReadiness({ ...server.context, migrations })).toEqual({
    ok: false,
    database: { ok: true },
    migrations: { ok: false, says: 'The database does not respond.' },
    files: { ok: true },
    storage: { ok: true },
    bus: { ok: true },
    consumers: { ok: true },
  })
})

test('a visitor who sends too much is told how long to wait, and others are not affected', async ({
  world,
  server,
}) => {
  const { conversation_id } = await startConversation(server, world.carla)
  const body = { message: { conversation_id, body: 'again' } }
  const post = () => server.request('POST', '/api/messages', { token: world.carla.token, body })
  const answers = await Promise.all(Array.from({ length: 60 }, post))
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

test('too many messages on a socket get the same response', async ({ world, server, openSocket }) => {
  const visitor = await startVisitor(server, world.acme.id)
  const { conversation_id } = await startConversation(server, visitor)
  const socket = openSocket({ visitor_token: visitor.token })
  const joined = await socket.join(`conversation:${conversation_id}`)
  const pushes = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => joined.push('shout', { body: `${i}` })))
  const refused = pushes.filter((push) => push.status === 'rejected')
  expect(refused.length).toBeGreaterThan(10)
  expect(String(refused[0]!.reason)).toContain('rate_limited')
})

test('guessing passwords is slowed down by e-mail address, whoever guesses and however it is spelled', async ({
  as,
}) => {
  const guess = (email: string) => as.anybody(authSessions.signIn, { body: { user: { email, password: 'guess' } } })
  const statuses: number[] = []
  for (let i = 0; i < 14; i++) statuses.push(await statusOf(guess(`${' '.repeat(i)}Ada@acme.test`)))
  expect(statuses.slice(0, 5)).toEqual([401, 401, 401, 401, 401])
  expect(statuses.at(-1)).toBe(429)
})
