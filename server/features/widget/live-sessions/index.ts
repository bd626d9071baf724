import { browserSessions } from '#contract/widget/live-sessions.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { sessionChannels } from './channels.ts'
import { customerSessions } from './customer-data.ts'
import { finishAbandonedSessions, pruneSessions } from './finishing.ts'
import { serveReplayBox } from './replay-box.ts'
import { registerBrowserSessionsRoutes, registerRecorderRoutes } from './routes.ts'

export const browserSessionsFeature = defineFeature({
  name: 'live-sessions',
  calls: [browserSessions],
  routes: [registerBrowserSessionsRoutes, registerRecorderRoutes],
  pages: serveReplayBox,
  channels: sessionChannels,
  schedules: [
    defineSchedule('liveSessions.finishAbandoned', '* * * * *', (context) =>
      finishAbandonedSessions(context, new Date()),
    ),
    defineSchedule('liveSessions.prune', '23 3 * * *', async ({ change }) => {
      while ((await change(pruneSessions)) > 0);
    }),
  ],
  customerData: [customerSessions],
})
