import { sql } from 'kysely'
import { conversationViews } from '#contract/conversations/views.ts'
import { defineConsumer, defineFeature } from '../../../feature.ts'
import { registerViewsRoutes } from './routes.ts'
import { deleteViewsOf } from './views.ts'

/** Nobody else can see the personal views of somebody who was removed. */
const deleteOfRemoved = defineConsumer('conversationViews.deleteOfRemoved', {
  of: ['user:updated'],
  concerns: sql`exists (select from conversation_views v where v.account_id = events.account_id and v.user_id is not null)`,
  jobs: [],
  async consume(_, tx, events) {
    for (const { account_id, event } of events) {
      if (event.user.archived_at) await deleteViewsOf(tx, account_id, event.user.id)
    }
  },
})

export const viewsFeature = defineFeature({
  name: 'conversationViews',
  calls: [conversationViews],
  routes: [registerViewsRoutes],
  consumers: [deleteOfRemoved],
})
