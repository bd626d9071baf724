import { issues } from '#contract/customers/issues.ts'
import { isId } from '#contract/wire.ts'
import { declareChannel } from '../../../channel.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { type ChannelDefinition, Refused } from '../../../platform/realtime/channel.ts'
import { getCustomerId, resolveCustomer } from '../customers/customers.ts'
import { createIssue, deleteIssue, getIssue, listIssues, updateIssue } from './issues.ts'
import { linkIssue, unlinkIssue } from './linking.ts'

export function registerIssuesRoutes(routes: Routes, { db, change }: Context) {
  routes.route(issues.list, async ({ caller, query }) => ({ data: await listIssues(db, caller.account_id, query) }))
  routes.route(issues.get, async ({ caller, params }) => ({ data: await getIssue(db, caller.account_id, params.id) }))
  routes.route(issues.create, async ({ caller, body }) => ({
    data: await change((tx) => createIssue(tx, caller.account_id, caller.user_id, body.issue)),
  }))
  routes.route(issues.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateIssue(tx, caller.account_id, params.id, body.issue)),
  }))
  routes.route(issues.remove, ({ caller, params }) => change((tx) => deleteIssue(tx, caller.account_id, params.id)))

  routes.route(issues.link, async ({ caller, params, body }) => {
    await change(async (tx) => {
      const customer = await getCustomerId(tx.db, caller.account_id, params.id)
      await linkIssue(tx, caller.account_id, customer, await getIssue(tx.db, caller.account_id, body.issue_id))
    })
    return { data: { ok: true } }
  })
  routes.route(issues.unlink, async ({ caller, params }) => {
    await change(async (tx) => {
      const customer = await getCustomerId(tx.db, caller.account_id, params.id)
      await unlinkIssue(tx, caller.account_id, customer, await getIssue(tx.db, caller.account_id, params.issue_id))
    })
    return { data: { ok: true } }
  })
}

/** Events about one customer's issues, for team members viewing the customer. */
export function issueChannels({ db }: Context): ChannelDefinition[] {
  const lobby = declareChannel('issue:lobby:{customer_id}', async ({ caller, params }) => {
    const isOwn =
      caller.kind === 'user' &&
      isId(params.customer_id) &&
      !!(await resolveCustomer(db, params.customer_id, caller.account_id))
    if (!isOwn) throw new Refused({ reason: 'Unauthorized' })
    return { account_id: caller.account_id }
  })
  return [lobby]
}
