import { companies } from '#contract/customers/companies.ts'
import type { Context } from '../../../context.ts'
import type { Routes } from '../../../platform/http/routes.ts'
import { createCompany, deleteCompany, getCompany, listCompanies, updateCompany } from './companies.ts'

export function registerCompaniesRoutes(routes: Routes, { db, change }: Context) {
  routes.route(companies.list, async ({ caller, query }) => ({
    data: await listCompanies(db, caller.account_id, query),
  }))
  routes.route(companies.get, async ({ caller, params }) => ({
    data: await getCompany(db, caller.account_id, params.id),
  }))
  routes.route(companies.create, async ({ caller, body }) => ({
    data: await change((tx) => createCompany(tx, caller.account_id, body.company)),
  }))
  routes.route(companies.update, async ({ caller, params, body }) => ({
    data: await change((tx) => updateCompany(tx, caller.account_id, params.id, body.company)),
  }))
  routes.route(companies.remove, ({ caller, params }) =>
    change((tx) => deleteCompany(tx, caller.account_id, params.id)),
  )
}
