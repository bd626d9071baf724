import { defineFeature } from '../../feature.ts'
import { defineSchedule } from '../../platform/jobs/job.ts'
import { wantedLines } from './lines.ts'
import { pollAll, pollOne } from './polling.ts'
import { credentialsColumn } from './secrets.ts'

export const authorizationsFeature = defineFeature({
  name: 'authorizations',
  jobs: [pollOne],
  schedules: [defineSchedule('authorizations.pollAll', '* * * * *', pollAll)],
  encryptedColumns: [credentialsColumn],
  lines: wantedLines,
})
