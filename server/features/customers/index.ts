import { customers } from '#contract/customers.ts'
import { defineFeature } from '../../feature.ts'
import { openCustomers, openVisitorSessions } from './routes.ts'

export const customersFeature = defineFeature({
  name: 'customers',
  calls: [customers],
  routes: [openCustomers, openVisitorSessions],
})
