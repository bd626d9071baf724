import { events } from '#contract/events.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { cursorHints } from './cursor-hints.ts'
import { eventsData } from './customer-data.ts'
import { pruneEvents } from './event-log.ts'
import { eventMetrics } from './metrics.ts'
import { registerEventsRoutes } from './routes.ts'

export const eventsFeature = defineFeature({
  name: 'events',
  calls: [events],
  routes: [registerEventsRoutes],
  schedules: [
    defineSchedule('events.prune', '37 * * * *', ({ db, eventLog }) => pruneEvents(db, eventLog.consumers())),
  ],
  stop: (context) => cursorHints(context).stop(),
  customerData: [eventsData],
  metrics: eventMetrics,
})
