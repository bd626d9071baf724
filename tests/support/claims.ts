import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { accounts } from '#contract/accounts/accounts.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import { signedIdentity } from '#contract/customers/signed-identity.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { mailReply } from '#server/features/conversations/notifications/reply-mail.ts'
import { test as base } from './fixture.ts'
import type { VisitorInWorld } from './world.ts'

/** A customer with many details entered by the team. */
export const vera = {
  name: 'Vera Vip',
  email: 'vera@customer.test',
  phone: '+49 1',
  metadata: { risk: 'high' },
}

/** Customers added by the team, visitors who claim or prove an identity, and the results. */
export const test = base
  .extend('secret', { scope: 'file' }, async ({ as, world }) => {
    return (await as.ada(signedIdentity.createSecret, { params: { id: world.website.id }, body: {} })).data.secret
  })
  .extend('sign', ({ secret }) => (claims: object) => {
    const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const exp = Math.floor(Date.now() / 1000) + 300
    const unsigned = `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url({ exp, ...claims })}`
    return `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`
  })
  .extend('updateMetadata', ({ as }) => (id: string, metadata: object, who = as.anybody) => {
    return who(customers.updateMetadata, { params: { id }, body: { metadata } })
  })
  .extend('addByTeam', ({ as }) => async (customer: BodyInput<typeof customers.create>['customer']) => {
    return (await as.ada(customers.create, { body: { customer } })).data
  })
  .extend('read', ({ as }) => async (id: string) => {
    return (await as.ada(customerProfiles.get, { params: { id } })).data
  })
  .extend('claim', ({ as, world }) => async (customer: object) => {
    return (await as.anybody(customers.create, { body: { customer: { account_id: world.acme.id, ...customer } } })).data
  })
  .extend('identify', ({ as, world }) => async (external_id: string): Promise<string | null> => {
    const query = { account_id: world.acme.id, external_id }
    return (await as.anybody(customers.identify, { query })).data.customer_id
  })
  .extend('mine', ({ as }) => async ({ token }: VisitorInWorld) => {
    return (await as.holder(token)(customers.mine)).data
  })
  .extend('conversationsOf', ({ as, world }) => async (customer_id: string, who = as.anybody) => {
    const query = { customer_id, account_id: world.acme.id }
    return (await who(conversations.ofCustomer, { query })).data
  })
  .extend('switchTo', ({ as }) => (trust_unsigned_ids: boolean) => {
    return as.ada(accounts.update, { body: { account: { settings: { trust_unsigned_ids } } } })
  })
  .extend('arrive', ({ as, world, sign }) => async (claims: object, customer: object = {}): Promise<VisitorInWorld> => {
    const visitor_session = {
      account_id: world.acme.id,
      token: randomBytes(32).toString('base64url'),
      customer_id: randomUUID(),
      identity_token: sign(claims),
      customer,
    }
    return (await as.anybody(customers.startSession, { body: { visitor_session } })).data
  })
  .extend('prove', ({ as, sign }) => (visitor: VisitorInWorld, claims: object) => {
    return as.holder(visitor.token)(customerProfiles.proveIdentity, {
      body: { visitor_session: { identity_token: sign(claims) } },
    })
  })
  /** The recipients of the mail about a reply. */
  .extend('mailedTo', ({ as, world, server }) => async (conversation_id: string): Promise<string | undefined> => {
    const message = { conversation_id, body: 'We have answered.' }
    const { id } = (await as.ada(messages.create, { body: { message } })).data
    await mailReply.run(server.context, { account_id: world.acme.id, message_id: id })
    const mails = await server.context.db
      .selectFrom('mails')
      .select('recipient')
      .where('kind', '=', 'reply')
      .where(
        'headers',
        '@>',
        JSON.stringify({
          References: `<conversation-${conversation_id}@${new URL(server.context.config.baseUrl).hostname}>`,
        }),
      )
      .orderBy('created_at', 'desc')
      .execute()
    return mails[0]?.recipient
  })
  .extend('startByTeam', ({ as }) => async (customer_id: string): Promise<string> => {
    const conversation = { customer_id, message: { body: 'Your contract' } }
    return (await as.ada(conversations.create, { body: { conversation } })).data.id
  })
