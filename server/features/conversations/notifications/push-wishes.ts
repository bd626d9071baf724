import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** What users are notified about on their devices until they choose otherwise. */
const DEFAULT = sql`'{mine,unassigned,mentions}'::text[]`

// Conditions about a user's devices: `u` is the user, `c` the conversation, and `s` the user's settings of push, which
// may be missing.

/** What the user wants to be notified about. */
export const wishes = sql`coalesce(s.about, ${DEFAULT})`

/** Whether the user has a device, and has not muted the conversation's inbox. */
export const hasDevice: RawBuilder<SqlBool> = sql<SqlBool>`(
  exists (select from push_devices d where d.account_id = u.account_id and d.user_id = u.id)
  and not c.inbox_id = any (coalesce(s.muted_inbox_ids, '{}')))`

/** Whether the user wants to be notified about what a customer writes there. */
export const wantsMessages: RawBuilder<SqlBool> = sql<SqlBool>`(
  ${wishes} && case
    when c.assignee_id = u.id then '{all,mine}'::text[]
    when c.assignee_id is null then '{all,unassigned}'::text[]
    else '{all}'::text[] end)`
