import { accounts } from '#contract/accounts.ts'
import type { Parley } from '../../parley.ts'
import type { Routes } from '../../platform/http/routes.ts'
import { getAccount } from './accounts.ts'

export function openAccounts(routes: Routes, { db }: Parley) {
  routes.route(accounts.mine, async ({ caller }) => ({ data: await getAccount(db, caller.account_id, new Date()) }))
}
