import { rules } from '#contract/conversations/rules.ts'
import { defineFeature } from '../../../feature.ts'
import { pruneRows } from '../../../platform/db/prune-rows.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { applyRules } from './apply-runs.ts'
import { recordRuleEvents } from './record-events.ts'
import { registerRulesRoutes } from './routes.ts'
import { RULE_EVENTS_EXPIRED } from './store-events.ts'
import { sweepWaits } from './sweep.ts'

export const rulesFeature = defineFeature({
  name: 'rules',
  calls: [rules],
  routes: [registerRulesRoutes],
  jobs: [applyRules],
  consumers: [recordRuleEvents],
  schedules: [
    defineSchedule('rules.sweepWaits', '* * * * *', (context) => sweepWaits(context, new Date())),
    defineSchedule('rules.pruneEvents', '37 3 * * *', ({ db }) => pruneRows(db, 'rule_events', RULE_EVENTS_EXPIRED)),
  ],
})
