import { customers } from '#contract/customers/customers.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { customersData } from './customer-data.ts'
import { registerCustomersRoutes, registerVisitorSessionsRoutes } from './routes.ts'
import { pruneVisitorSessions } from './visitor-sessions.ts'

export const customersFeature = defineFeature({
  name: 'customers',
  calls: [customers],
  routes: [registerCustomersRoutes, registerVisitorSessionsRoutes],
  customerData: customersData,
  schedules: [defineSchedule('customers.pruneVisitorSessions', '13 4 * * *', ({ db }) => pruneVisitorSessions(db))],
})
