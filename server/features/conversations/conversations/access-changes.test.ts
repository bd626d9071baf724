import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { accounts } from '#contract/accounts/accounts.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import { signedIdentity } from '#contract/customers/signed-identity.ts'
import { inboxes } from '#contract/widget/inboxes.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startTestServer } from '#tests/support/server.ts'
import type { JoinedTopic } from '#tests/support/sockets.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'

/** Sockets that were admitted before the reason for admitting them changed. */

/** A client on a conversation and its lobby, and whether it may still be there. */
interface Listening {
  conversation_id: string
  conversation: { isOver: boolean; received: JoinedTopic['received'] }
  lobby: { isOver: boolean }
}

const bodies = ({ received }: Pick<JoinedTopic, 'received'>) =>
  received.filter(({ event }) => event === 'shout').map(({ payload }) => payload.body)

const test = base
  .extend('demand', ({ as, world }) => (is_required: boolean, id = world.website.id) => {
    return as.ada(signedIdentity.require, { params: { id }, body: { signed_identity: { is_required } } })
  })
  .extend('trust', ({ as }) => (trust_unsigned_ids: boolean) => {
    return as.ada(accounts.update, { body: { account: { settings: { trust_unsigned_ids } } } })
  })
  .extend('merge', ({ as }) => (id: string, customer_id: string) => {
    return as.ada(customerProfiles.merge, { params: { id }, body: { customer_id } })
  })
  .extend('listen', ({ openSocket }) => async (params: Record<string, string>, topic: string) => {
    const socket = openSocket(params)
    const joined = await socket.join(topic)
    const stay = { ...joined, received: joined.received, isOver: false, isCut: false }
    joined.channel.onClose(() => {
      stay.isOver = true
    })
    socket.socket.onClose(() => {
      stay.isCut = true
    })
    return stay
  })
  /** A legacy client on its conversation and in its lobby: no token, only ids. */
  .extend('listenById', ({ as, world, listen }) => async (customer: object = {}) => {
    const created = await as.anybody(customers.create, {
      body: { customer: { account_id: world.acme.id, ...customer } },
    })
    const customer_id: string = created.data.id
    const started = await as.anybody(conversations.create, {
      body: { conversation: { account_id: world.acme.id, customer_id } },
    })
    const conversation_id: string = started.data.id
    const conversation = await listen({}, `conversation:${conversation_id}`)
    const lobby = await listen({}, `conversation:lobby:${customer_id}`)
    return { customer_id, conversation_id, conversation, lobby }
  })
  /** The same for a customer added by the team, whom unsigned ids match only where the account trusts them. */
  .extend('listenAsKnown', ({ as, trust, listenById }) => async (external_id: string) => {
    await trust(true)
    await as.ada(customers.create, { body: { customer: { external_id } } })
    return listenById({ external_id })
  })
  .extend('post', ({ as }) => (conversation_id: string, body: string) => {
    return as.ada(messages.create, { body: { message: { conversation_id, body } } })
  })
  .extend('isEndedFor', ({ post }) => async ({ conversation, lobby, conversation_id }: Listening) => {
    await expect.poll(() => conversation.isOver && lobby.isOver).toBe(true)
    await post(conversation_id, 'not for strangers')
    await sleep(100)
    expect(bodies(conversation)).not.toContain('not for strangers')
  })
  .extend('secret', { scope: 'file' }, async ({ as, world }) => {
    await as.ada(signedIdentity.createSecret, { params: { id: world.billing.id }, body: {} })
    return (await as.ada(signedIdentity.createSecret, { params: { id: world.website.id }, body: {} })).data.secret
  })
  .extend('sign', ({ secret }) => (claims: object) => {
    const write = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signedPart = `${write({ alg: 'HS256', typ: 'JWT' })}.${write({ exp: Math.floor(Date.now() / 1000) + 300, ...claims })}`
    return `${signedPart}.${createHmac('sha256', secret).update(signedPart).digest('base64url')}`
  })

// An inbox can require signed identities only once it has a secret.
test.beforeAll(({ secret: _ }) => {})
test.afterEach(async ({ world, demand, trust }) => {
  for (const { id } of [world.website, world.billing]) await demand(false, id)
  await trust(false)
})

test('a client that joined with the id of a named customer is removed when the inbox starts to require signed identity', async ({
  demand,
  listenById,
  post,
  isEndedFor,
}) => {
  const named = await listenById({ name: 'Nora' })
  const anonymous = await listenById()
  await demand(true)
  await isEndedFor(named)
  await post(anonymous.conversation_id, 'still for you')
  await expect.poll(() => bodies(anonymous.conversation)).toContain('still for you')
  expect(anonymous.lobby.isOver).toBe(false)
})

test('a client that joined with an id is removed when its customer gets a name and identity must be proven', async ({
  as,
  demand,
  listenById,
  isEndedFor,
}) => {
  const nora = await listenById()
  await demand(true)
  await as.ada(customerProfiles.update, { params: { id: nora.customer_id }, body: { customer: { name: 'Nora' } } })
  await isEndedFor(nora)
})

test('a client that joined with an id is removed when the conversation moves to an inbox that requires signed identity', async ({
  as,
  world,
  server,
  demand,
  listenById,
}) => {
  await demand(true, world.billing.id)
  const { customer_id, conversation_id, conversation } = await listenById()
  expect(conversation.isOver).toBe(false)
  // Named by a direct statement, so that only the move is announced.
  await server.context.db.updateTable('customers').set({ name: 'Nora' }).where('id', '=', customer_id).execute()
  await as.ada(conversations.update, {
    params: { id: conversation_id },
    body: { conversation: { inbox_id: world.billing.id } },
  })
  await expect.poll(() => conversation.isOver).toBe(true)
})

test('a client that joined with an id is removed when its inbox is deleted in favour of one that requires signed identity', async ({
  as,
  world,
  server,
  demand,
  listenById,
}) => {
  await demand(true, world.billing.id)
  const { data: inbox } = await as.ada(inboxes.create, { body: { inbox: { name: 'For a while' } } })
  const { customer_id, conversation_id, conversation } = await listenById()
  await server.context.db
    .updateTable('conversations')
    .set({ inbox_id: inbox.id })
    .where('id', '=', conversation_id)
    .execute()
  await server.context.db.updateTable('customers').set({ name: 'Nora' }).where('id', '=', customer_id).execute()
  await as.ada(conversations.removeInbox, { params: { id: inbox.id }, query: { move_to: world.billing.id } })
  await expect.poll(() => conversation.isOver).toBe(true)
})

test('a client that joined with an id is removed when the customer proves their identity', async ({
  as,
  world,
  listenAsKnown,
  isEndedFor,
  sign,
}) => {
  const external_id = randomUUID()
  const nora = await listenAsKnown(external_id)
  const token = randomBytes(32).toString('base64url')
  const visitor_session = {
    account_id: world.acme.id,
    token,
    customer_id: randomUUID(),
    identity_token: sign({ sub: external_id }),
  }
  const { data } = await as.anybody(customers.startSession, { body: { visitor_session } })
  expect(data.customer_id).toBe(nora.customer_id)
  await isEndedFor(nora)
})

test('a client that joined with an id is removed when a browser starts a session as its customer', async ({
  as,
  world,
  server,
  listenAsKnown,
  isEndedFor,
}) => {
  const external_id = randomUUID()
  const nora = await listenAsKnown(external_id)
  const browser = await startVisitor(server, world.acme.id, { external_id })
  const mine = await as.holder(browser.token)(customers.mine)
  expect(mine.data.id).toBe(nora.customer_id)
  await isEndedFor(nora)
})

test('a client that joined with the id of a customer created by the team is removed when unsigned ids are no longer trusted', async ({
  trust,
  listenAsKnown,
  post,
  isEndedFor,
}) => {
  const nora = await listenAsKnown(randomUUID())
  await post(nora.conversation_id, 'for you')
  await expect.poll(() => bodies(nora.conversation)).toContain('for you')
  await trust(false)
  await isEndedFor(nora)
})

test('a client that joined with an id is removed when its customer is merged into one with a session', async ({
  world,
  merge,
  listenById,
  isEndedFor,
}) => {
  const nora = await listenById()
  await merge(world.carla.customer_id, nora.customer_id)
  await isEndedFor(nora)
})

test('a client that joined with an id remains after a merge with a similar customer, and is removed when that one is claimed', async ({
  as,
  world,
  merge,
  listenById,
  listenAsKnown,
  post,
  sign,
}) => {
  const external_id = randomUUID()
  const survivor = await listenAsKnown(external_id)
  const nora = await listenById()
  await merge(survivor.customer_id, nora.customer_id)
  await post(nora.conversation_id, 'still for you')
  await expect.poll(() => bodies(nora.conversation)).toContain('still for you')
  const token = randomBytes(32).toString('base64url')
  const visitor_session = {
    account_id: world.acme.id,
    token,
    customer_id: randomUUID(),
    identity_token: sign({ sub: external_id }),
  }
  await as.anybody(customers.startSession, { body: { visitor_session } })
  await expect.poll(() => nora.conversation.isOver && survivor.conversation.isOver).toBe(true)
})

test('a change of rights reaches sockets of a server that learns of it by the log alone', async ({
  world,
  server,
  listen,
  listenById,
  isEndedFor,
}) => {
  const visitor = await startVisitor(server, world.acme.id)
  const { conversation_id } = await startConversation(server, visitor)
  const mine = await listen({ visitor_token: visitor.token }, `conversation:${conversation_id}`)
  const nora = await listenById()
  const elsewhere = await startTestServer({}, undefined, server.database)
  for (const { customer_id } of [visitor, nora]) {
    const path = `/api/customers/${world.carla.customer_id}/merge`
    const { status } = await elsewhere.request('POST', path, { token: world.ada.token, body: { customer_id } })
    expect(status).toBe(200)
  }
  // The browser reconnects with its current identity; a client that only knows an id does not.
  await expect.poll(() => mine.isCut).toBe(true)
  await isEndedFor(nora)
  await elsewhere.close()
})
