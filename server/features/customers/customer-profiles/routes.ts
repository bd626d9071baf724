import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../platform/db/change.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { assertManager } from '../../accounts/accounts/accounts.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { listFilters, removeFilter, saveFilter } from '../customer-filters/filters.ts'
import { setBlocked, setCustomerAttributes, updateCustomer } from '../customers/changing.ts'
import { setComplained } from '../customers/complaints.ts'
import { readOldToken } from '../customers/known-browsers.ts'
import { verifyIdentity } from '../signed-identity/verifying.ts'
import { deleteCustomer } from './delete-customer.ts'
import { exportCustomers, writeCustomers } from './exporting.ts'
import { proveVisitor } from './link-identity.ts'
import { listCustomers } from './listing.ts'
import { mergeCustomers, unmergeCustomers } from './merging.ts'
import { getProfile } from './profiles.ts'

export function registerCustomerProfilesRoutes(routes: Routes, context: Context) {
  const { db, change, keys, realtime, searches } = context
  routes.route(customerProfiles.list, async ({ caller, query, reply }) => {
    const { page, page_size, limit, format, order, attribute, direction, after, before, ...filters } = query
    const range = { page, page_size, limit, order, attribute, direction, after, before }
    const list = (from: Db) => listCustomers({ db: from, realtime }, caller.account_id, filters, range)
    if (format === 'csv') await assertManager(db, caller)
    const listed = await (filters.q ? searches.run(caller.account_id, list) : list(db))
    return format === 'csv' ? asTable(reply, await writeCustomers(db, caller.account_id, listed.data)) : listed
  })
  routes.route(customerProfiles.export, async ({ caller, query, reply }) => {
    await assertManager(db, caller)
    return asTable(reply, exportCustomers(db, caller.account_id, query))
  })
  routes.route(customerProfiles.get, async ({ caller, params, query }) => ({
    data: await getProfile(db, caller.account_id, params.id, query.expand),
  }))
  routes.route(customerProfiles.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateCustomer(tx, caller.account_id, params.id, body.customer)),
  }))
  routes.route(customerProfiles.setAttributes, async ({ caller, params, body }) => ({
    data: await change((tx) => setCustomerAttributes(tx, caller.account_id, params.id, body.attributes)),
  }))
  routes.route(customerProfiles.remove, async ({ caller, params }) => {
    await assertManager(db, caller)
    const customer_id = await change(async (tx) => {
      const own_id = await deleteCustomer(context, tx, caller.account_id, params.id)
      // Without the name, which was erased as well.
      await recordAudit(tx, caller, { action: 'customer.deleted', subject_id: own_id })
      return own_id
    })
    await realtime.disconnect({ account_id: caller.account_id, customer_id })
    return null
  })
  routes.route(customerProfiles.block, async ({ caller, params }) => ({
    data: await change((tx) => setBlocked(tx, caller.account_id, params.id, true)),
  }))
  routes.route(customerProfiles.unblock, async ({ caller, params }) => ({
    data: await change((tx) => setBlocked(tx, caller.account_id, params.id, false)),
  }))
  routes.route(customerProfiles.allowAutomaticMail, async ({ caller, params }) => ({
    data: await change((tx) => setComplained(tx, caller.account_id, params.id, false)),
  }))

  routes.route(customerProfiles.merge, async ({ caller: { account_id, user_id }, params, body }) => {
    const merged = await change((tx) => mergeCustomers(context, tx, account_id, user_id, params.id, body.customer_id))
    return { data: await disconnectSessions(merged) }
  })
  routes.route(customerProfiles.unmerge, async ({ caller, params }) => {
    const unmerged = await change((tx) => unmergeCustomers(context, tx, caller.account_id, params.id))
    return { data: await disconnectSessions(unmerged) }
  })
  routes.route(customerProfiles.proveIdentity, async ({ caller, body: { visitor_session } }) => {
    const { inbox_id, identity_token } = visitor_session
    const inboxKey = { account_id: caller.account_id, inbox_id }
    // It tells who this browser was before an import, and proves nothing to a session that has begun.
    if (await readOldToken(db, keys, caller.account_id, identity_token)) {
      return { data: { customer_id: caller.customer_id } }
    }
    const proof = await verifyIdentity(db, keys, inboxKey, identity_token)
    const { customer_id, session_ids } = await change((tx) => proveVisitor(context, tx, caller, proof))
    return { data: await disconnectSessions({ customer: { customer_id }, session_ids }) }
  })

  routes.route(customerProfiles.listFilters, async ({ caller }) => ({ data: await listFilters(db, caller.account_id) }))
  routes.route(customerProfiles.saveFilter, async ({ caller, body }) => ({
    data: await change((tx) => saveFilter(tx, caller.account_id, body.customer_filter)),
  }))
  routes.route(customerProfiles.removeFilter, ({ caller, params }) =>
    change((tx) => removeFilter(tx, caller.account_id, params.id)),
  )

  /** A socket keeps its identity from connecting, so browsers of another customer now have to reconnect. */
  async function disconnectSessions<Found>({ customer, session_ids }: { customer: Found; session_ids: string[] }) {
    for (const session_id of session_ids) await realtime.disconnect({ session_id }, 'please reconnect')
    return customer
  }
}

function asTable(reply: FastifyReply, lines: Readable): Readable {
  reply.header('content-type', 'text/csv; charset=utf-8')
  reply.header('content-disposition', 'attachment; filename="customers.csv"')
  return lines
}
