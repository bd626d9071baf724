import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { savedReplies } from '#contract/conversations/saved-replies.ts'
import { companies } from '#contract/customers/companies.ts'
import { customerNotes } from '#contract/customers/customer-notes.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { erasure } from '#contract/customers/erasure.ts'
import { issues } from '#contract/customers/issues.ts'
import { tags } from '#contract/customers/tags.ts'
import { inboxes } from '#contract/widget/inboxes.ts'
import { type Callers, expect, statusOf, test } from './support/fixture.ts'
import type { TestServer } from './support/server.ts'
import { startConversation, startVisitor, type World } from './support/world.ts'

// Many team members and programs change and delete the same few things at once. Some calls come too late and are
// refused; none may end in a server error.

/** Ids of three things of each kind; most of them are deleted again and again. */
interface Pools {
  customers: string[]
  conversations: string[]
  tags: string[]
  issues: string[]
  companies: string[]
  inboxes: string[]
}

interface Step {
  one: number
  other: number
}

function actsOf(as: Callers, pools: Pools) {
  const id = (pool: keyof Pools, index: number) => pools[pool][index]!
  const of = (pool: keyof Pools, index: number) => ({ params: { id: id(pool, index) } })
  return {
    'tag a conversation': ({ one, other }) =>
      as.ada(tags.addToConversation, { ...of('conversations', one), body: { tag_id: id('tags', other) } }),
    'tag a customer': ({ one, other }) =>
      as.ada(tags.addToCustomer, { ...of('customers', one), body: { tag_id: id('tags', other) } }),
    'delete a tag': ({ one }) => as.ada(tags.remove, of('tags', one)),
    'rename a tag': ({ one, other }) =>
      as.ada(tags.update, { ...of('tags', one), body: { tag: { name: `tag ${other}` } } }),
    'link an issue': ({ one, other }) =>
      as.ada(issues.link, { ...of('customers', one), body: { issue_id: id('issues', other) } }),
    'delete an issue': ({ one }) => as.ada(issues.remove, of('issues', one)),
    'create an issue of a customer': ({ one }) =>
      as.ada(issues.create, { body: { issue: { title: 'Lamp', customer_id: id('customers', one) } } }),
    'write a note': ({ one }) =>
      as.ada(customerNotes.create, { body: { note: { body: 'Oak', customer_id: id('customers', one) } } }),
    'set a customer’s company': ({ one, other }) =>
      as.ada(customerProfiles.update, {
        ...of('customers', one),
        body: { customer: { company_id: id('companies', other) } },
      }),
    'delete a company': ({ one }) => as.ada(companies.remove, of('companies', one)),
    'merge two customers': ({ one, other }) =>
      as.ada(customerProfiles.merge, { ...of('customers', one), body: { customer_id: id('customers', other) } }),
    'unmerge them': ({ one }) => as.ada(customerProfiles.unmerge, of('customers', one)),
    'delete a customer': ({ one }) => as.ada(customerProfiles.remove, of('customers', one)),
    'erase a customer': ({ one }) => as.ada(erasure.erase, of('customers', one)),
    'start a conversation': ({ one }) =>
      as.ada(conversations.create, {
        body: { conversation: { customer_id: id('customers', one), message: { body: 'Hello' } } },
      }),
    answer: ({ one }) =>
      as.ada(messages.create, { body: { message: { conversation_id: id('conversations', one), body: 'Here' } } }),
    'close a conversation': ({ one, other }) =>
      as.ada(conversations.update, {
        ...of('conversations', one),
        body: { conversation: { status: other % 2 ? 'closed' : 'open', inbox_id: id('inboxes', other) } },
      }),
    'delete a conversation': ({ one }) => as.ada(conversations.archive, of('conversations', one)),
    'delete an inbox': ({ one, other }) =>
      as.ada(conversations.removeInbox, { ...of('inboxes', one), query: { move_to: id('inboxes', other) } }),
    'save a reply': ({ one }) =>
      as.ada(savedReplies.create, { body: { canned_response: { name: `reply ${one}`, content: 'Yes' } } }),
  } satisfies Record<string, (step: Step) => Promise<unknown>>
}

/** Creates three of each kind of thing that is deleted. */
async function beginAnew(as: Callers, server: TestServer, world: World): Promise<Pools> {
  const pools: Pools = { customers: [], conversations: [], tags: [], issues: [], companies: [], inboxes: [] }
  for (let index = 0; index < 3; index++) {
    const visitor = await startVisitor(server, world.acme.id, { name: `Visitor ${index}` })
    const { conversation_id } = await startConversation(server, visitor)
    pools.customers.push(visitor.customer_id)
    pools.conversations.push(conversation_id)
    pools.tags.push((await as.ada(tags.create, { body: { tag: { name: randomUUID() } } })).data.id)
    pools.issues.push((await as.ada(issues.create, { body: { issue: { title: 'Door' } } })).data.id)
    pools.companies.push((await as.ada(companies.create, { body: { company: { name: 'Harbour' } } })).data.id)
    pools.inboxes.push((await as.ada(inboxes.create, { body: { inbox: { name: randomUUID() } } })).data.id)
  }
  return pools
}

test('changes and deletions at the same time succeed, or are refused with a reason', async ({ as, server, world }) => {
  const crowd = fc.array(fc.record({ act: fc.nat(), one: fc.nat(2), other: fc.nat(2) }), {
    minLength: 24,
    maxLength: 24,
  })
  await fc.assert(
    fc.asyncProperty(crowd, async (steps) => {
      const acts = Object.entries(actsOf(as, await beginAnew(as, server, world)))
      const answers = await Promise.all(
        steps.map(async ({ act, ...step }) => {
          const [name, run] = acts[act % acts.length]!
          return { act: name, status: await statusOf(run(step)) }
        }),
      )
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    }),
    { numRuns: 12, seed: 20_261_122, endOnFailure: true },
  )
})
