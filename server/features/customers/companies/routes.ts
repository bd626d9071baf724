import { companies } from '#contract/customers/companies.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { createCompany, deleteCompany, getCompany, listCompanies, updateCompany } from './companies.ts'

export function openCompanies(routes: Routes, { db, change }: Context) {
  routes.route(companies.list, async ({ caller, query }) => ({
    data: await listCompanies(db, caller.account_id, query),
  }))
  routes.route(companies.get, async ({ caller, params }) => ({
    data: await getCompany(db, caller.account_id, params.id),
  }))
  routes.route(companies.create, async ({ caller, body }) => ({
    data: await change((open) => createCompany(open, caller.account_id, body.company)),
  }))
  routes.route(companies.update, async ({ caller, params, body }) => ({
    data: await change((open) => updateCompany(open, caller.account_id, params.id, body.company)),
  }))
  routes.route(companies.remove, ({ caller, params }) =>
    change((open) => deleteCompany(open, caller.account_id, params.id)),
  )
}
