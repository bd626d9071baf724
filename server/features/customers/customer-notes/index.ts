import { customerNotes } from '#contract/customers/customer-notes.ts'
import { defineFeature } from '../../../feature.ts'
import { customerNotesData } from './customer-data.ts'
import { registerCustomerNotesRoutes } from './routes.ts'

export const customerNotesFeature = defineFeature({
  name: 'customer-notes',
  calls: [customerNotes],
  routes: [registerCustomerNotesRoutes],
  customerData: [customerNotesData],
})
