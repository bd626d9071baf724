import { companies } from '#contract/customers/companies.ts'
import { defineFeature } from '../../../feature.ts'
import { registerCompaniesRoutes } from './routes.ts'

export const companiesFeature = defineFeature({
  name: 'companies',
  calls: [companies],
  routes: [registerCompaniesRoutes],
})
