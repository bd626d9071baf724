import { sql } from 'kysely'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { customers } from '#contract/customers/customers.ts'
import type { BodyInput, QueryInput } from '#contract/endpoint.ts'
import { test as base } from './fixture.ts'
import type { Json } from './server.ts'

/** Customers added by the team, and their list. */
export const test = base
  .extend('create', ({ as }) => async (customer: BodyInput<typeof customers.create>['customer']): Promise<Json> => {
    return (await as.ada(customers.create, { body: { customer } })).data
  })
  .extend('list', ({ as }) => (query: QueryInput<typeof customerProfiles.list> = {}) => {
    return as.ada(customerProfiles.list, { query })
  })
  .extend('listen', ({ world, openSocket }) => () => {
    return openSocket({ token: world.ada.token }).join(`notification:${world.acme.id}`)
  })
  .extend('seenAt', ({ server }) => (id: string, at: string) => {
    return sql`update customers set last_seen_at = ${at} where id = ${id}`.execute(server.context.db)
  })
