import { defineFeature } from '../../feature.ts'
import { defineSchedule } from '../../platform/jobs/job.ts'
import { inboundBacklog } from './backlog.ts'
import { forgetOldInbound, inboundOfCustomers } from './inbound-events.ts'
import { inboundOf, processInbound } from './process.ts'

export const inboundFeature = defineFeature({
  name: 'inbound',
  jobs: [processInbound],
  schedules: [
    // What a server that died left behind is found by another within the minute.
    defineSchedule('inbound.processDue', '* * * * *', async (context) => inboundOf(context).wake()),
    defineSchedule('inbound.forgetOld', '41 3 * * *', forgetOldInbound),
  ],
  customerData: [inboundOfCustomers],
  backlogs: [inboundBacklog],
  // What waited while no server ran.
  start: (context) => inboundOf(context).wake(),
  stop: (context) => inboundOf(context).stop(),
})
