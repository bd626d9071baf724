import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { customers } from '#contract/customers/customers.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { test as base, type Caller } from './fixture.ts'

/** Sockets of the team and of a legacy client, which has ids but no tokens. */
export const test = base
  .extend('connect', ({ openSocket }) => (params: Record<string, string> = {}) => {
    const socket = openSocket(params)
    return socket
  })
  .extend('joinTeam', ({ world, connect }) => (person = world.ada) => {
    return connect({ token: person.token }).join(`notification:${world.acme.id}`)
  })
  /** A legacy client: no tokens, only ids. */
  .extend('startLegacyVisitor', ({ as, world }) => async () => {
    const customer = await as.anybody(customers.create, {
      body: { customer: { account_id: world.acme.id, browser: 'Firefox' } },
    })
    const customer_id: string = customer.data.id
    const started = await as.anybody(conversations.create, {
      body: { conversation: { account_id: world.acme.id, customer_id } },
    })
    return { customer_id, conversation_id: started.data.id as string }
  })

/** Posts a message by HTTP. */
export const post = (who: Caller, message: BodyInput<typeof messages.create>['message']) =>
  who(messages.create, { body: { message } })
