import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { accounts } from '#contract/accounts/accounts.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import type { ReportFilters } from '#contract/conversations/reporting.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { erasure } from '#contract/customers/erasure.ts'
import { tags } from '#contract/customers/tags.ts'
import { type Callers, expect, test } from '#tests/support/fixture.ts'
import { nearly, withoutLists } from '#tests/support/reports.ts'
import type { TestServer } from '#tests/support/server.ts'
import { startConversation, startVisitor, type World } from '#tests/support/world.ts'
import { recountAccount, recountAll } from './counting.ts'
import { readReport } from './reporting.ts'

const STEPS = 80

interface Walk {
  as: Callers
  world: World
  server: TestServer
  talks: { id: string; customer_id: string; token: string }[]
  message_ids: string[]
  tag_ids: string[]
}

/** Actions on messages and on their customers. `pick` chooses among existing objects. */
const ACTIONS: Record<string, (walk: Walk, pick: <One>(list: One[]) => One | undefined) => Promise<unknown>> = {
  async open(walk) {
    const visitor = await startVisitor(walk.server, walk.world.acme.id)
    const { conversation_id } = await startConversation(walk.server, visitor, 'Hello')
    walk.talks.push({ ...visitor, id: conversation_id })
    await setBack(walk, conversation_id)
  },
  async write(walk, pick) {
    const talk = pick(walk.talks)
    if (talk) await write(walk, walk.as.holder(talk.token), talk.id)
  },
  async reply(walk, pick) {
    const talk = pick(walk.talks)
    if (talk) await write(walk, walk.as.ben, talk.id)
  },
  async note(walk, pick) {
    const talk = pick(walk.talks)
    if (talk) await write(walk, walk.as.ada, talk.id, { private: true, type: 'note' })
  },
  async remove({ as, message_ids }, pick) {
    const id = pick(message_ids)
    if (id) await as.ada(messages.remove, { params: { id } })
  },
  async merge({ as, talks }, pick) {
    const [one, other] = [pick(talks), pick(talks)]
    if (!one || !other || one.customer_id === other.customer_id) return
    await as.ada(customerProfiles.merge, { params: { id: one.customer_id }, body: { customer_id: other.customer_id } })
  },
  async unmerge({ as, talks }, pick) {
    const talk = pick(talks)
    if (talk) await as.ada(customerProfiles.unmerge, { params: { id: talk.customer_id } })
  },
  async archive({ as, talks }, pick) {
    const talk = pick(talks)
    if (talk) await as.ada(conversations.archive, { params: { id: talk.id } })
  },
  close: (walk, pick) => update(walk, pick(walk.talks), { status: 'closed' }),
  reopen: (walk, pick) => update(walk, pick(walk.talks), { status: 'open' }),
  assign: (walk, pick) =>
    update(walk, pick(walk.talks), { assignee_id: pick([null, walk.world.ada.id, walk.world.ben.id]) }),
  move: (walk, pick) =>
    update(walk, pick(walk.talks), { inbox_id: pick([walk.world.website.id, walk.world.billing.id]) }),
  async tag({ as, talks, tag_ids }, pick) {
    const [talk, tag_id] = [pick(talks), pick(tag_ids)]
    if (talk && tag_id) await as.ben(tags.addToConversation, { params: { id: talk.id }, body: { tag_id } })
  },
  async untag({ as, talks, tag_ids }, pick) {
    const [talk, tag_id] = [pick(talks), pick(tag_ids)]
    if (talk && tag_id) await as.ben(tags.removeFromConversation, { params: { id: talk.id, tag_id } })
  },
  async erase({ as, talks }, pick) {
    const talk = pick(talks)
    if (talk) await as.ada(erasure.erase, { params: { id: talk.customer_id } })
  },
}

async function update({ as }: Walk, talk: Walk['talks'][number] | undefined, conversation: object) {
  if (talk) await as.ben(conversations.update, { params: { id: talk.id }, body: { conversation } })
}

/** Moves a conversation with its messages up to some weeks back; the next message makes it count so. */
async function setBack(walk: Walk, id: string) {
  const { db } = walk.server.context
  const ago = sql`make_interval(mins => ${walk.talks.length * 3_791})`
  await sql`update conversations set created_at = created_at - ${ago} where id = ${id}`.execute(db)
  await sql`update messages set created_at = created_at - ${ago} where conversation_id = ${id}`.execute(db)
  await write(walk, walk.as.ben, id)
}

async function write(walk: Walk, who: Callers['ben'], conversation_id: string, more: object = {}) {
  const id = randomUUID()
  await who(messages.create, { body: { message: { id, conversation_id, body: 'x', ...more } } })
  walk.message_ids.push(id)
}

test('after random actions, counts and reports from sums equal a full count', async ({ as, world, server }) => {
  const { db } = server.context
  const working_hours = [{ day: 'everyday' as const, start_minute: 480, end_minute: 1079 }]
  await as.ada(accounts.update, { body: { account: { working_hours } } })
  await recountAccount(db, world.acme.id)
  const walk: Walk = { as, world, server, talks: [], message_ids: [], tag_ids: [] }
  for (const name of ['dropped', 'kept'])
    walk.tag_ids.push((await as.ada(tags.create, { body: { tag: { name } } })).data.id)
  const trail = await runSteps(walk)
  // Each change once more as the last one of a conversation, because later events would trigger the count, too.
  for (const last of ['tag', 'assign', 'move', 'close', 'remove', 'archive', 'erase']) {
    await ACTIONS.open!(walk, (list) => list.at(-1))
    const { id } = walk.talks.at(-1)!
    await expect
      .poll(async () => (await readCounts(walk)).some((row) => row.conversation_id === id && row.author > 0))
      .toBe(true)
    await ACTIONS[last]!(walk, (list) => list.at(-1))
  }
  await as.ada(tags.remove, { params: { id: walk.tag_ids[0]! } })

  const { rows: there } = await sql`
    select conversation_id, coalesce(user_id, case when customer_id is null then -1 else 0 end) as author, count(*)::int as messages
    from messages where account_id = ${world.acme.id} group by 1, 2 order by 1, 2`.execute(db)
  await expect.poll(() => readCounts(walk), { timeout: 20_000, message: trail }).toEqual(there)

  await compareReports(walk, trail)
  const stored = await readSums(walk)
  await recountAll(db)
  expect(await readCounts(walk), trail).toEqual(there)
  expect(stored, trail).toEqual(await readSums(walk))
})

async function readCounts({ world, server }: Walk) {
  const { rows } = await sql<{ conversation_id: string; author: number; messages: number }>`
    select conversation_id, author, sum(messages)::int as messages from message_counts
    where account_id = ${world.acme.id} group by 1, 2 order by 1, 2`.execute(server.context.db)
  return rows
}

/** @returns the steps taken, for analysing a failure */
async function runSteps(walk: Walk): Promise<string> {
  const names = Object.keys(ACTIONS)
  const [steps = []] = fc.sample(
    fc.array(fc.tuple(fc.constantFrom('open', 'open', 'say', 'reply', ...names), fc.nat()), {
      minLength: STEPS,
      maxLength: STEPS,
    }),
    1,
  )
  for (const [name, number] of steps) {
    const pick = <One>(list: One[]) => list[number % Math.max(1, list.length)]
    // Impossible actions are refused, as for people.
    await ACTIONS[name]?.(walk, pick).catch((refusal: { status?: number }) => {
      if (!refusal.status || refusal.status >= 500) throw refusal
    })
  }
  return steps.map(([name]) => name).join(' ')
}

/** Compares each report computed row by row with the one from sums. */
async function compareReports({ world, server, tag_ids }: Walk, trail: string) {
  const ranges = [
    ['2026-01-01', '2027-12-31'],
    [daysAgo(25).slice(0, 10), daysAgo(3).slice(0, 10)],
    [daysAgo(30), daysAgo(1)],
  ]
  const filters: ReportFilters[] = [
    {},
    { inbox_id: world.billing.id },
    { source: 'chat' },
    { assignee_id: world.ben.id },
    { assignee_id: 'nobody' },
    { tag_id: tag_ids[0] },
    { tag_id: tag_ids[1] },
    { tag_id: tag_ids[0], assignee_id: world.ben.id },
  ]
  const read = (few: number, query: Parameters<typeof readReport>[2]) =>
    readReport(server.context.db, world.acme.id, query, { conversations: few, messages: few })
  for (const [from_date, to_date] of ranges) {
    for (const filter of filters) {
      for (const working_hours of [false, true]) {
        const query = { from_date, to_date, working_hours, ...filter }
        const message = `${JSON.stringify(query)} ${trail}`
        const single = await read(Number.POSITIVE_INFINITY, query)
        await expect.poll(() => read(-1, query), { timeout: 20_000, message }).toEqual(nearly(single))
        const brief = { ...query, lists: false }
        await expect.poll(() => read(-1, brief), { message }).toEqual(nearly(withoutLists(single)))
      }
    }
  }
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000 - 12_345_678).toISOString()

/** The contributions of the account's conversations, and all its sums except zeros. */
async function readSums({ world, server }: Walk) {
  const tables = {
    conversation_figures: sql`true`,
    author_totals: sql`messages <> 0`,
    hour_totals: sql`messages <> 0`,
    conversation_totals: sql`conversations <> 0`,
    duration_totals: sql`steps <> '{}'`,
  }
  const read = ([table, isNotEmpty]: [string, ReturnType<typeof sql>]) =>
    sql<{ row: string }>`
      select t::text as row from ${sql.table(table)} t where account_id = ${world.acme.id} and ${isNotEmpty} order by 1`.execute(
      server.context.db,
    )
  const found = await Promise.all(Object.entries(tables).map(read))
  return found.map(({ rows }) => rows.map(({ row }) => row))
}
