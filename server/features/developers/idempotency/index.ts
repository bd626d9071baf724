import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { pruneRequests, storedAnswers } from './idempotency.ts'

export const idempotencyFeature = defineFeature({
  name: 'idempotency',
  schedules: [defineSchedule('idempotency.prune', '37 * * * *', ({ db }) => pruneRequests(db))],
  encryptedColumns: [storedAnswers],
})
