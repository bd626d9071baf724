import { sql } from 'kysely'
import type { WidgetTeam } from '#contract/widget/widgets.ts'
import type { Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import type { FoundWidget } from './finding.ts'

/** Number of faces that fit side by side at the top of the chat. */
const FACES = 3
/** Number of recent conversations to look at, and the minimum needed for a result. */
const LOOKED_AT = 100
const NEEDED = 5

/** Who replies in an inbox, if it shows people, and how soon they usually do. */
export async function describeTeam(db: Db, { settings, account }: FoundWidget): Promise<WidgetTeam> {
  const [people, seconds_to_reply] = await Promise.all([
    settings.use_company_profile_only ? [] : listFaces(db, account.id),
    medianReply(db, account.id, settings.inbox_id),
  ])
  return { people, seconds_to_reply }
}

/** Users with a display name; those with a picture first. */
async function listFaces(db: Db, account_id: string): Promise<WidgetTeam['people']> {
  const users = await ofAccount(db, account_id)
    .selectFrom('users')
    .select(['display_name', 'full_name', 'profile_photo_url'])
    .where('disabled_at', 'is', null)
    .where('archived_at', 'is', null)
    .orderBy((eb) => eb('profile_photo_url', 'is', null))
    .orderBy('id')
    .execute()
  return users
    .map(({ display_name, full_name, profile_photo_url }) => ({
      name: display_name || full_name || '',
      photo: profile_photo_url,
    }))
    .filter(({ name }) => name !== '')
    .slice(0, FACES)
}

async function medianReply(db: Db, account_id: string, inbox_id: string): Promise<number | null> {
  const newest = ofAccount(db, account_id)
    .selectFrom('conversations')
    .select(['created_at', 'first_replied_at'])
    .where('inbox_id', '=', inbox_id)
    .where('status', '=', 'closed')
    .where('archived_at', 'is', null)
    .orderBy('last_activity_at', 'desc')
    .orderBy('id', 'desc')
    .limit(LOOKED_AT)
  const { seconds, count } = await db
    .selectFrom(newest.as('newest'))
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      sql<
        number | null
      >`percentile_cont(0.5) within group (order by extract(epoch from first_replied_at - created_at))`.as('seconds'),
    ])
    .where('first_replied_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count) < NEEDED || seconds === null ? null : Math.round(seconds)
}
