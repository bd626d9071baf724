import { customerNotes } from '#contract/customers/customer-notes.ts'
import { defineFeature } from '../../../feature.ts'
import { customerNotesData } from './customer-data.ts'
import { openCustomerNotes } from './routes.ts'

export const customerNotesFeature = defineFeature({
  name: 'customer-notes',
  calls: [customerNotes],
  routes: [openCustomerNotes],
  customerData: [customerNotesData],
})
