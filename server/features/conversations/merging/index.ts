import { type SqlBool, sql } from 'kysely'
import { MOVE_UNDO_DAYS, merging } from '#contract/conversations/merging.ts'
import { defineFeature } from '../../../feature.ts'
import { pruneRows } from '../../../platform/db/prune-rows.ts'
import { defineSchedule } from '../../../platform/jobs/job.ts'
import { registerMergingRoutes } from './routes.ts'

/** Where messages were before is needed only as long as it can be undone. */
const isTooOld = sql<SqlBool>`created_at < now() - make_interval(days => ${MOVE_UNDO_DAYS + 1})`

export const mergingFeature = defineFeature({
  name: 'merging',
  calls: [merging],
  routes: [registerMergingRoutes],
  schedules: [
    defineSchedule('merging.pruneMoved', '31 3 * * *', ({ db }) => pruneRows(db, 'moved_messages', isTooOld)),
  ],
})
