import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { conversations } from '#contract/conversations.ts'
import { customerProfiles } from '#contract/customer-profiles.ts'
import { messages } from '#contract/messages.ts'
import { type Callers, expect, test } from '#tests/support/fixture.ts'
import type { TestServer } from '#tests/support/server.ts'
import { startConversation, startVisitor, type World } from '#tests/support/world.ts'
import { recountAll } from './counting.ts'

const STEPS = 60

interface Walk {
  as: Callers
  world: World
  server: TestServer
  talks: { id: string; customer_id: string; token: string }[]
  said: string[]
}

/** What happens to messages and to those whose they are. `pick` chooses among what there is. */
const ACTIONS: Record<string, (walk: Walk, pick: <One>(list: One[]) => One | undefined) => Promise<unknown>> = {
  async open({ server, world, talks }) {
    const visitor = await startVisitor(server, world.acme.id)
    const { conversation_id } = await startConversation(server, visitor, 'Hello')
    talks.push({ ...visitor, id: conversation_id })
  },
  async say(walk, pick) {
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
  async takeBack({ as, said }, pick) {
    const id = pick(said)
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
}

async function write(walk: Walk, who: Callers['ben'], conversation_id: string, more: object = {}) {
  const id = randomUUID()
  await who(messages.create, { body: { message: { id, conversation_id, body: 'x', ...more } } })
  walk.said.push(id)
}

test('after any walk the counts are those of a full count', async ({ as, world, server }) => {
  const { db } = server.context
  const walk: Walk = { as, world, server, talks: [], said: [] }
  const names = Object.keys(ACTIONS)
  const [steps = []] = fc.sample(
    fc.array(fc.tuple(fc.constantFrom('open', 'say', 'reply', ...names), fc.nat()), {
      minLength: STEPS,
      maxLength: STEPS,
    }),
    1,
  )
  for (const [name, number] of steps) {
    const pick = <One>(list: One[]) => list[number % Math.max(1, list.length)]
    // A walk that wants what cannot be any more is refused, as people are.
    await ACTIONS[name]?.(walk, pick).catch((refusal: { status?: number }) => {
      if (!refusal.status || refusal.status >= 500) throw refusal
    })
  }
  const counted = async () => {
    const { rows } = await sql`
      select conversation_id, author, sum(messages)::int as messages from message_counts
      where account_id = ${world.acme.id} group by 1, 2 order by 1, 2`.execute(db)
    return rows
  }
  const { rows: there } = await sql`
    select conversation_id, coalesce(user_id, case when customer_id is null then -1 else 0 end) as author, count(*)::int as messages
    from messages where account_id = ${world.acme.id} group by 1, 2 order by 1, 2`.execute(db)
  const trail = steps.map(([name]) => name).join(' ')
  await expect.poll(counted, { timeout: 20_000, message: trail }).toEqual(there)
  await recountAll(db)
  expect(await counted(), trail).toEqual(there)
})
