import { eventSubscriptions } from '#contract/developers/webhooks.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { webhooksBacklog, webhooksMetric } from './backlog.ts'
import { webhookCustomerData } from './customer-data.ts'
import { pruneDeliveries } from './deliveries.ts'
import { dispatcherOf } from './dispatcher.ts'
import { deliverWebhooks, recordEvents } from './record-events.ts'
import { registerEventSubscriptionsRoutes } from './routes.ts'
import { webhookSecrets } from './webhook-secrets.ts'

export const eventSubscriptionsFeature = defineFeature({
  name: 'webhooks',
  calls: [eventSubscriptions],
  routes: [registerEventSubscriptionsRoutes],
  jobs: [deliverWebhooks],
  consumers: [recordEvents],
  schedules: [defineSchedule('webhooks.prune', '11 3 * * *', ({ db }) => pruneDeliveries(db))],
  customerData: webhookCustomerData,
  encryptedColumns: [webhookSecrets],
  backlogs: [webhooksBacklog],
  metrics: [webhooksMetric],
  // Continues what this server left behind when it stopped.
  start: (context) => dispatcherOf(context).wake(),
  stop: (context) => dispatcherOf(context).stop(),
})
