import fc from 'fast-check'
import { sql } from 'kysely'
import { vi } from 'vitest'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { test as base, type Caller, expect, statusOf } from '#tests/support/fixture.ts'
import { startConversation, startVisitor, type VisitorInWorld } from '#tests/support/world.ts'
import { wakeDueConversations } from './snoozing.ts'
import { readConversation } from './updating.ts'

const unread = async (who: Caller) => (await who(conversations.unread)).data

const OF: Record<string, (user_id: number) => string> = {
  open: () => 'true',
  assigned: (user_id) => `assignee_id = ${user_id}`,
  unassigned: () => 'assignee_id is null',
  priority: () => "priority = 'priority'",
}

interface Action {
  id: string
  by: { id: number; token: string }
  does: { changes: object } | { mentions: number } | 'reads' | 'customer writes' | 'time passes'
}

const test = base
  /** The counters computed from the rows by their definition. */
  .extend('recount', ({ world, server }) => async (user_id: number) => {
    const { rows: totals } = await sql
      .raw<Record<string, number>>(
        `select ${['open', 'assigned', 'unassigned', 'priority']
          .map(
            (name) =>
              `count(*) filter (where snoozed_at is null and status = 'open' and ${OF[name]!(user_id)})::int as ${name}`,
          )
          .join(', ')},
        count(*) filter (where snoozed_at is not null)::int as snoozed,
        count(*) filter (where snoozed_at is null and status = 'closed')::int as closed
       from conversations where account_id = '${world.acme.id}' and archived_at is null`,
      )
      .execute(server.context.db)
    const count = (condition: string) =>
      `count(*) filter (where archived_at is null and snoozed_at is null and ${condition})::int`
    const { rows } = await sql
      .raw<Record<string, number>>(
        `select ${count("status = 'open' and not read")} as unread,
              ${count(`status = 'open' and not read and assignee_id = ${user_id}`)} as assigned,
              ${count("status = 'open' and not read and assignee_id is null")} as unassigned,
              ${count("status = 'open' and not read and priority = 'priority'")} as priority,
              ${count("status = 'closed' and not read")} as closed,
              ${count(`status = 'open' and ${user_id} = any (unseen_mention_user_ids)`)} as mentioned
       from conversations where account_id = '${world.acme.id}'`,
      )
      .execute(server.context.db)
    const { rows: inboxes } = await sql
      .raw<{ inbox_id: string; count: number; total: number }>(
        `select i.id as inbox_id, (count(c.id) filter (where not read))::int as count, count(c.id)::int as total
       from inboxes i left join conversations c on c.account_id = i.account_id and c.inbox_id = i.id
         and archived_at is null and snoozed_at is null and status = 'open'
       where i.account_id = '${world.acme.id}' group by 1`,
      )
      .execute(server.context.db)
    return {
      conversations: { open: rows[0]!.unread, ...rows[0] },
      inboxes: Object.fromEntries(inboxes.map((row) => [row.inbox_id, row.count])),
      totals: {
        conversations: totals[0],
        inboxes: Object.fromEntries(inboxes.map((row) => [row.inbox_id, row.total])),
      },
    }
  })
  /** Everyday actions in conversations, including closing, snoozing and restoring. */
  .extend('actionsOn', ({ world }) => (ids: string[]): fc.Arbitrary<Action> => {
    const user = fc.constantFrom(world.ada, world.ben)
    const moment = { until: new Date(Date.now() + 3_600_000).toISOString() }
    const changes = fc.constantFrom<object>(
      { status: 'closed' },
      { status: 'open' },
      { priority: 'priority' },
      { priority: 'not_priority' },
      { read: true },
      { read: false },
      { assignee_id: null },
      { assignee_id: world.ada.id },
      { assignee_id: world.ben.id },
      { inbox_id: world.billing.id },
      { inbox_id: world.website.id },
      { snoozed: moment },
      { snoozed: { until: null } },
      { snoozed: null },
      { archived_at: new Date().toISOString() },
      { archived_at: null },
    )
    const does = fc.oneof(
      { weight: 12, arbitrary: changes.map((changes) => ({ changes })) },
      { weight: 3, arbitrary: user.map(({ id }) => ({ mentions: id })) },
      { weight: 4, arbitrary: fc.constantFrom('reads' as const, 'customer writes' as const) },
      { weight: 1, arbitrary: fc.constant('time passes' as const) },
    )
    return fc.record({ id: fc.constantFrom(...ids), by: user, does })
  })
  .extend('wakeAll', ({ world, server }) => async () => {
    const over = new Date(Date.now() - 1_000).toISOString()
    await server.context.db
      .updateTable('conversations')
      .set({ snoozed_until: over })
      .where('snoozed_until', 'is not', null)
      .where('inbox_id', 'in', [world.website.id, world.billing.id])
      .execute()
    await server.context.change(wakeDueConversations)
    return true
  })
  /** Whether it was done, or refused because a closed conversation cannot be snoozed. */
  .extend(
    'perform',
    ({ as, world, server, wakeAll }) =>
      async ({ id, by: { token, id: user_id }, does }: Action, visitors: Map<string, VisitorInWorld>) => {
        if (does === 'time passes') return wakeAll()
        if (does === 'reads')
          return server.context.change((tx) => readConversation(tx, world.acme.id, id, user_id)).then(() => true)
        const status = await statusOf(
          typeof does === 'object' && 'changes' in does
            ? as.holder(token)(conversations.update, { params: { id }, body: { conversation: does.changes } })
            : as.holder(does === 'customer writes' ? visitors.get(id)!.token : token)(messages.create, {
                body: {
                  message: {
                    conversation_id: id,
                    body: 'look',
                    ...(typeof does === 'object' && { type: 'note', mentioned_user_ids: [does.mentions] }),
                  },
                },
              }),
        )
        return status < 300 || (status === 422 && JSON.stringify(does).includes('snoozed'))
      },
  )

test('after 2,000 random concurrent actions the counters equal a recount', {
  timeout: 180_000,
}, async ({ as, world, server, actionsOn, perform, recount }) => {
  const visitors = new Map<string, VisitorInWorld>()
  for (let i = 0; i < 15; i++) {
    const visitor = await startVisitor(server, world.acme.id)
    visitors.set((await startConversation(server, visitor)).conversation_id, visitor)
  }
  const walk = fc.array(actionsOn([...visitors.keys()]), { minLength: 50, maxLength: 50 })
  await fc.assert(
    fc.asyncProperty(walk, async (actions) => {
      expect(await Promise.all(actions.map((action) => perform(action, visitors)))).not.toContain(false)
      // The server also wakes conversations by itself, possibly between two reads; wrong counters stay wrong.
      for (const { token, id } of [world.ada, world.ben]) {
        await vi.waitFor(async () => {
          const { conversations, inboxes, totals } = await unread(as.holder(token))
          expect({ conversations, inboxes, totals }).toEqual(await recount(id))
        }, 10_000)
      }
    }),
    // Each run starts where the previous one ended, so shrinking would not help.
    { numRuns: 40, seed: 1510, endOnFailure: true },
  )
})

test('the counters are also directly under data, where old clients read them', async ({ as, world, server }) => {
  await startConversation(server, world.carla, 'Hi', world.billing.id)
  const data = await unread(as.ada)
  expect(data.open).toBe(data.conversations.open)
  expect(data[world.billing.id]).toBe(data.inboxes[world.billing.id])
})
