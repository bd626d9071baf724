import { defineFeature } from '../../../feature.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { appsColumn } from './apps.ts'
import { listWantedConnections } from './live-connections.ts'
import { pruneStarts } from './oauth-starts.ts'
import { pollAll, pollOne } from './polling.ts'
import { credentialsColumn } from './secrets.ts'

export const authorizationsFeature = defineFeature({
  name: 'authorizations',
  jobs: [pollOne],
  schedules: [
    defineSchedule('authorizations.pollAll', '* * * * *', pollAll),
    defineSchedule('authorizations.pruneStarts', '39 3 * * *', ({ db }) => pruneStarts(db)),
  ],
  encryptedColumns: [credentialsColumn, appsColumn],
  liveConnections: listWantedConnections,
})
