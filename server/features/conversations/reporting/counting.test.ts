import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { reporting } from '#contract/conversations/reporting.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { erasure } from '#contract/customers/erasure.ts'
import { tags } from '#contract/customers/tags.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import { type Callers, expect, test } from '#tests/support/fixture.ts'
import type { TestServer } from '#tests/support/server.ts'
import { startConversation, startVisitor, type World } from '#tests/support/world.ts'
import { recountAll } from './counting.ts'

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

test('after random actions counts equal a full count, and reports equal what a plain query counts', async ({
  as,
  world,
  server,
}) => {
  const { db } = server.context
  const walk: Walk = { as, world, server, talks: [], message_ids: [], tag_ids: [] }
  for (const name of ['dropped', 'kept'])
    walk.tag_ids.push((await as.ada(tags.create, { body: { tag: { name } } })).data.id)
  const trail = await runSteps(walk)
  // Each change once more as the last one of a conversation, because later events would trigger the count, too.
  for (const last of ['remove', 'archive', 'erase']) {
    await ACTIONS.open!(walk, (list) => list.at(-1))
    const { id } = walk.talks.at(-1)!
    await expect
      .poll(async () => (await readCounts(walk)).some((row) => row.conversation_id === id && row.author > 0))
      .toBe(true)
    await ACTIONS[last]!(walk, (list) => list.at(-1))
  }
  await as.ada(tags.remove, { params: { id: walk.tag_ids[0]! } })

  const { rows: expected } = await sql`
    select conversation_id, coalesce(user_id, case when customer_id is null then -1 else 0 end) as author, count(*)::int as messages
    from messages where account_id = ${world.acme.id} group by 1, 2 order by 1, 2`.execute(db)
  await expect.poll(() => readCounts(walk), { timeout: 20_000, message: trail }).toEqual(expected)
  await compareReports(walk, trail)
  await recountAll(db)
  expect(await readCounts(walk), trail).toEqual(expected)
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

/** Compares each report with a query that counts the messages themselves. */
async function compareReports({ as, world, server, tag_ids }: Walk, trail: string) {
  const { billing, ben } = world
  const filters: [QueryInput<typeof reporting.get>, RawBuilder<unknown>][] = [
    [{}, sql`true`],
    [{ inbox_id: billing.id }, sql`c.inbox_id = ${billing.id}`],
    [{ source: 'chat' }, sql`c.source = 'chat'`],
    [{ assignee_id: ben.id }, sql`c.assignee_id = ${ben.id}`],
    [{ assignee_id: 'nobody' }, sql`c.assignee_id is null`],
    ...tag_ids.map((tag_id): (typeof filters)[number] => [{ tag_id }, hasTag(tag_id)]),
    [{ tag_id: tag_ids[1], assignee_id: ben.id }, sql`c.assignee_id = ${ben.id} and ${hasTag(tag_ids[1]!)}`],
  ]
  const ranges = [
    ['2026-01-01T00:00:00Z', '2027-12-31T00:00:00Z'],
    [daysAgo(30), daysAgo(1)],
  ] as const
  for (const [from_date, to_date] of ranges) {
    for (const [filter, matches] of filters) {
      const query = { from_date, to_date, ...filter }
      const { rows } = await sql`
        select to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD') as date, count(*)::int as count
        from messages m join conversations c on c.account_id = m.account_id and c.id = m.conversation_id
        where m.account_id = ${world.acme.id} and m.created_at > ${from_date} and m.created_at < ${to_date} and ${matches}
        group by 1 order by 1`.execute(server.context.db)
      const { data } = await as.ada(reporting.get, { query })
      expect(data.messages_by_date, `${JSON.stringify(query)} ${trail}`).toEqual(rows)
    }
  }
}

function hasTag(tag_id: string) {
  return sql`exists (select from conversation_tags t where t.conversation_id = c.id and t.tag_id = ${tag_id})`
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000 - 12_345_678).toISOString()
