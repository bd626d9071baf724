import { customers } from '#contract/customers.ts'
import { defineFeature } from '../../feature.ts'
import { customersData } from './customer-data.ts'
import { openCustomers, openVisitorSessions } from './routes.ts'

export const customersFeature = defineFeature({
  name: 'customers',
  calls: [customers],
  routes: [openCustomers, openVisitorSessions],
  customerData: customersData,
})
