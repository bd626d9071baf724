import type { PushSettings, PushSettingsChanges } from '#contract/conversations/push.ts'
import { Invalid } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { readLocalTime } from '../../widget/working-hours/local-time.ts'

const columns = [
  'about',
  'muted_inbox_ids',
  'quiet_from',
  'quiet_until',
  'time_zone',
  'shows_text',
  'mail_after_minutes',
] as const

const DEFAULTS = {
  about: ['mine', 'unassigned', 'mentions'],
  muted_inbox_ids: [],
  quiet_from: null,
  quiet_until: null,
  time_zone: 'UTC',
  shows_text: true,
  mail_after_minutes: null,
}

/** What a user chose for their devices; the defaults until they did. */
export async function readPushSettings(db: Db, account_id: string, user_id: number): Promise<PushSettings> {
  const row = await ofAccount(db, account_id)
    .selectFrom('push_settings')
    .select(columns)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return { ...(row ?? DEFAULTS), object: 'push_settings' } as PushSettings
}

/**
 * Changes these settings and returns them.
 * @throws Invalid: an inbox is not of this account, or the quiet hours have no beginning, no end, or no length
 */
export async function savePushSettings(
  { db }: Change,
  account_id: string,
  user_id: number,
  changes: PushSettingsChanges,
): Promise<PushSettings> {
  const { object: _, ...before } = await readPushSettings(db, account_id, user_id)
  const settings = { ...before, ...withoutUndefined(changes) }
  const { quiet_from, quiet_until } = settings
  if ((quiet_from === null) !== (quiet_until === null) || (quiet_from !== null && quiet_from === quiet_until))
    throw new Invalid({ quiet_until: ['should be another time than the beginning'] })
  await assertInboxes(db, account_id, changes.muted_inbox_ids ?? [])
  await db
    .insertInto('push_settings')
    .values({ account_id, user_id, ...settings })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doUpdateSet(settings))
    .execute()
  return { ...settings, object: 'push_settings' }
}

function withoutUndefined(changes: PushSettingsChanges): Partial<Omit<PushSettings, 'object'>> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
}

async function assertInboxes(db: Db, account_id: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await ofAccount(db, account_id).selectFrom('inboxes').select('id').where('id', 'in', ids).execute()
  if (rows.length < new Set(ids).size) throw new Invalid({ muted_inbox_ids: ['does not exist'] })
}

/** When the quiet hours end that a moment is in; undefined outside of them. */
export function quietUntil(
  { quiet_from, quiet_until, time_zone }: Pick<PushSettings, 'quiet_from' | 'quiet_until' | 'time_zone'>,
  now: Date,
): Date | undefined {
  const minute = readLocalTime(time_zone, now)?.minute
  if (!quiet_from || !quiet_until || minute === undefined) return undefined
  const [from, until] = [minuteOf(quiet_from), minuteOf(quiet_until)]
  const isQuiet = from < until ? from <= minute && minute < until : minute >= from || minute < until
  if (!isQuiet) return undefined
  const minutes = (until - minute + DAY_MINUTES) % DAY_MINUTES
  return new Date(Math.floor(now.getTime() / 60_000) * 60_000 + minutes * 60_000)
}

const DAY_MINUTES = 24 * 60

function minuteOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}
