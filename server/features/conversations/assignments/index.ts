import { assignments } from '#contract/conversations/assignments.ts'
import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { followChanges } from './follow-changes.ts'
import { checkReopened, handOut } from './jobs.ts'
import { registerAssignmentsRoutes } from './routes.ts'
import { sweepTeams } from './sweeping.ts'

export const assignmentsFeature = defineFeature({
  name: 'assignments',
  calls: [assignments],
  routes: [registerAssignmentsRoutes],
  jobs: [handOut, checkReopened],
  consumers: [followChanges],
  schedules: [defineSchedule('assignments.sweep', '* * * * *', sweepTeams)],
})
