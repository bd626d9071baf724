import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { inboundBacklog } from './backlog.ts'
import { inboundOfCustomers, pruneInbound } from './inbound-events.ts'
import { inboundOf, processInbound } from './process.ts'

export const inboundFeature = defineFeature({
  name: 'inbound',
  jobs: [processInbound],
  schedules: [defineSchedule('inbound.prune', '41 3 * * *', pruneInbound)],
  customerData: [inboundOfCustomers],
  backlogs: [inboundBacklog],
  // Events that waited while no server ran.
  start: (context) => inboundOf(context).wake(),
  stop: (context) => inboundOf(context).stop(),
})
