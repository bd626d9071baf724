import { billing } from '#contract/accounts/billing.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { openCardPage } from './card-page.ts'
import { endAllSubscriptions, endGrace, endUnpaid, syncEverybody } from './ending.ts'
import { updatePlanRetention } from './plan-retention.ts'
import { registerBillingRoutes } from './routes.ts'
import { syncAccount } from './syncing.ts'
import { pruneBillingEvents, stripeSignature } from './webhook.ts'

export const billingFeature = defineFeature({
  name: 'billing',
  calls: [billing],
  routes: [registerBillingRoutes],
  pages: openCardPage,
  signatures: (context) => ({ stripe: stripeSignature(context) }),
  jobs: [syncAccount, endUnpaid, endAllSubscriptions],
  schedules: [
    defineSchedule('billing.endGrace', '12 * * * *', (context) => endGrace(context, new Date())),
    defineSchedule('billing.syncEverybody', '33 3 * * *', (context) => syncEverybody(context)),
    defineSchedule('billing.updatePlanRetention', '53 1 * * *', (context) => updatePlanRetention(context, new Date())),
    defineSchedule('billing.pruneEvents', '3 4 * * *', (context) => pruneBillingEvents(context, new Date())),
  ],
})
