import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import type { Db } from '#server/platform/db/change.ts'
import { connect } from '#server/platform/db/connection.ts'
import { startPostgres } from '#tests/support/postgres.ts'
import { startRedis } from '#tests/support/redis-server.ts'
import { freePort } from '#tests/support/server-process.ts'
import { TestSocket } from '#tests/support/sockets.ts'
import { callUntilAnswered, openConversation, register } from './clients.ts'
import { Program } from './program.ts'

const PEOPLE = 8
const LIMIT = 5
const PRESENT_EVERY_MS = 40_000
const WORK_MS = 700
const ARRIVE_EVERY_MS = 40
const LOOK_EVERY_MS = 50
/** As promised. */
const LONGEST_WAIT_MS = 1_000
/** Everybody is there equally long on average, so nobody should get twice as many as somebody else. */
const FAIR = 2

interface Run {
  dataDir: string
  arrivals: number
  log(line: string): void
}

/** A member of the team, at one of the servers. */
interface Person {
  url: string
  token: string
  account_id: string
}

/**
 * Conversations arrive at two servers while eight people come and go, and close what they are given. Looks at the
 * database all the time: whether somebody has more than the limit, and how long one waits although somebody is free.
 * @returns what was broken
 */
export async function assignWhilePeopleComeAndGo({ dataDir, arrivals, log }: Run): Promise<string[]> {
  const [postgres, redis] = await Promise.all([startPostgres('loopback'), startRedis()])
  const { host, port, user, password, database } = postgres.address
  const common = {
    DATABASE_URL: `postgres://${user}:${encodeURIComponent(String(password))}@${host}:${port}/${database}`,
    REDIS_URL: redis.url,
    SECRET_KEY: 'chaos chaos chaos chaos chaos chaos',
    RATE_LIMITS: 'off',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
  }
  const servers = [new Program(await freePort(), common), new Program(await freePort(), common)]
  for (const server of servers) await server.start()
  const connection = connect(postgres.address, pino({ level: 'silent' }))
  const over = new AbortController()
  try {
    const people = await hire(servers)
    const working = people.map((person, i) => work(person, i, over.signal))
    const looking = look(connection.kysely, over.signal)
    for (let i = 0; i < arrivals; i++) {
      await openConversation(servers[i % 2]!.url, people[0]!.account_id)
      await sleep(ARRIVE_EVERY_MS)
    }
    await finish(connection.kysely)
    over.abort()
    await Promise.all(working)
    const { maxOpen, longest } = await looking
    return [
      ...(maxOpen > LIMIT ? [`somebody had ${maxOpen} of ${LIMIT}`] : []),
      ...(longest > LONGEST_WAIT_MS ? [`a conversation waited ${longest} ms although somebody was free`] : []),
      ...(await judge(connection.kysely, { arrivals, longest, log })),
    ]
  } finally {
    over.abort()
    await connection.end()
    for (const server of servers) await server.end('SIGTERM')
    await redis.stop()
    await postgres.stop()
  }
}

/** An account with eight members of a team of everybody, half of them at each server. */
async function hire(servers: Program[]): Promise<Person[]> {
  const url = servers[0]!.url
  const admin = await register(url, 'admin@assign.test')
  const people: Person[] = []
  for (let i = 0; i < PEOPLE; i++) {
    const { body } = await callUntilAnswered(url, 'POST', '/api/user_invitations', {}, admin.token)
    const password = 'correct horse'
    const email = `person-${i}@assign.test`
    const user = { email, password, password_confirmation: password, invite_token: body.data.id }
    const registered = await callUntilAnswered(url, 'POST', '/api/registration', { user })
    people.push({ url: servers[i % 2]!.url, token: registered.body.data.token, account_id: admin.account_id })
  }
  const primary = await callUntilAnswered(url, 'GET', '/api/inboxes/primary', undefined, admin.token)
  const inbox_ids = [primary.body.data.id]
  const team = { name: 'All', assignment: 'least_open', has_everybody: true, open_limit: LIMIT, inbox_ids }
  await callUntilAnswered(url, 'POST', '/api/teams', { team }, admin.token)
  return people
}

/** Comes and goes, and closes what it is given, until the signal aborts. */
async function work({ url, token, account_id }: Person, index: number, signal: AbortSignal): Promise<void> {
  const socket = new TestSocket(url, { token })
  const channel = await socket.join(`notification:${account_id}`)
  let presentAt = Number.NEGATIVE_INFINITY
  for (let round = index; !signal.aborted; round++) {
    if (performance.now() - presentAt > PRESENT_EVERY_MS) {
      await channel.push('present', {})
      presentAt = performance.now()
    }
    // Three rounds of four there, one away; never all at once.
    const away = round % 4 === 3
    await callUntilAnswered(url, 'PUT', '/api/availability', { availability: { away } }, token)
    await sleep(WORK_MS)
    const { body } = await callUntilAnswered(
      url,
      'GET',
      '/api/conversations?assignee_id=me&status=open',
      undefined,
      token,
    )
    const ids = body.data.map(({ id }: { id: string }) => id)
    const changes = { status: 'closed' }
    if (ids.length > 0) await callUntilAnswered(url, 'POST', '/api/conversations/bulk', { ids, changes }, token)
  }
  socket.close()
}

/** The most that anybody had, and the longest time in milliseconds that one waited although somebody was free. */
async function look(db: Db, signal: AbortSignal): Promise<{ maxOpen: number; longest: number }> {
  let maxOpen = 0
  let longest = 0
  let since: number | undefined
  while (!signal.aborted) {
    const { rows } = await sql<{ most: number; waits: boolean }>`
      with held as (
        select a.user_id, a.away_at, count(c.id)::integer as open
        from user_availability a left join conversations c
          on c.account_id = a.account_id and c.assignee_id = a.user_id and c.status = 'open'
        group by 1, 2)
      select coalesce(max(open), 0) as most, bool_or(away_at is null and open < ${LIMIT}) and exists (
        select from conversations where status = 'open' and assignee_id is null) as waits
      from held`.execute(db)
    maxOpen = Math.max(maxOpen, rows[0]?.most ?? 0)
    since = rows[0]?.waits ? (since ?? performance.now()) : undefined
    if (since !== undefined) longest = Math.max(longest, Math.round(performance.now() - since))
    await sleep(LOOK_EVERY_MS)
  }
  return { maxOpen, longest }
}

/** Waits until everything was given to somebody and closed. */
async function finish(db: Db): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(100)) {
    const { rows } = await sql`select from conversations where status = 'open' limit 1`.execute(db)
    if (rows.length === 0) return
  }
}

async function judge(db: Db, { arrivals, longest, log }: Pick<Run, 'arrivals' | 'log'> & { longest: number }) {
  const { rows: assigned } = await sql<{ user_id: number; count: number }>`
    select user_id, count(*)::integer as count from conversation_assignments where user_id is not null group by 1`.execute(
    db,
  )
  const { rows: doubled } = await sql<{ conversation_id: string }>`
    select conversation_id from conversation_assignments where user_id is not null
    group by 1 having count(*) > 1`.execute(db)
  const { rows: lost } = await sql<{ id: string }>`
    select id from conversations where status = 'open' or assignee_id is null`.execute(db)
  const counts = assigned.map(({ count }) => count)
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)]
  log(
    `${arrivals} conversations to ${PEOPLE} people at two servers: from ${fewest} to ${most} each, the longest wait while somebody was free ${longest} ms.`,
  )
  return [
    ...doubled.map(({ conversation_id }) => `${conversation_id} was given twice`),
    ...lost.map(({ id }) => `${id} was given to nobody`),
    ...(most > FAIR * fewest ? [`somebody got ${most}, somebody else ${fewest}`] : []),
  ]
}
