import { assistants } from '#contract/developers/assistants.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { serveAuthorization } from './authorization-server.ts'
import { pruneGrants } from './grants.ts'
import { serveMcp } from './mcp-route.ts'
import { registerAssistantsRoutes } from './routes.ts'

export const assistantsFeature = defineFeature({
  name: 'assistants',
  calls: [assistants],
  routes: [registerAssistantsRoutes],
  pages(app, context, tools) {
    serveAuthorization(app, context)
    serveMcp(app, context, tools)
  },
  schedules: [defineSchedule('assistants.pruneGrants', '17 * * * *', ({ db }) => pruneGrants(db))],
})
