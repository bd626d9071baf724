import { deliveries } from '#contract/connections/deliveries.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { deliveriesBacklog } from './backlog.ts'
import { pruneDeliveries } from './deliveries.ts'
import { planDeliveries } from './plan.ts'
import { registerDeliveriesRoutes } from './routes.ts'
import { sendDeliveries, senderOf, wakeSender } from './sender.ts'

export const deliveriesFeature = defineFeature({
  name: 'deliveries',
  calls: [deliveries],
  routes: [registerDeliveriesRoutes],
  jobs: [sendDeliveries],
  consumers: [planDeliveries],
  schedules: [defineSchedule('deliveries.prune', '43 3 * * *', ({ db }) => pruneDeliveries(db))],
  backlogs: [deliveriesBacklog],
  // Deliveries that waited while no server ran.
  start: wakeSender,
  stop: (context) => senderOf(context).stop(),
})
