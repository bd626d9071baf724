import type { Account } from '#contract/accounts/accounts.ts'
import { mayWatchSessions, type RecorderSettings } from '#contract/widget/live-sessions.ts'
import type { Config } from '../../../config.ts'
import { Forbidden } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { hasActed, recordAudit } from '../../accounts/audit/audit.ts'

/** Whether a user may watch live sessions, and the server has them enabled. */
export async function mayWatch(
  { db, config }: { db: Db; config: Config },
  { account_id, role }: Pick<User, 'account_id' | 'role'>,
): Promise<boolean> {
  return config.storytime && mayWatchSessions(role, await readSettings(db, account_id))
}

/**
 * Allows watching live sessions only to those whom the account permits it, where the server has them enabled.
 * @throws Forbidden
 */
export async function assertMayWatch(
  context: { db: Db; config: Config },
  caller: Pick<User, 'account_id' | 'role'>,
): Promise<void> {
  assertLiveSessionsOn(context.config)
  if (await mayWatch(context, caller)) return
  throw new Forbidden('Only admins may watch live sessions. An admin can allow it for members under Set up Storytime.')
}

/** @throws Forbidden where live sessions are disabled on the server */
export function assertLiveSessionsOn({ storytime }: Pick<Config, 'storytime'>): void {
  if (!storytime)
    throw new Forbidden('Live sessions are switched off on this server. Its operator can set STORYTIME=on.')
}

/** After a lost connection, watching again within the hour counts as the same watching. */
const HOUR_MS = 3_600_000

/** Records in the audit log who watches whom. */
export async function recordWatching(
  change: Change,
  watcher: User,
  subject: { subject_id: string; subject_name: string },
): Promise<void> {
  const audited = { action: 'session.watched', ...subject }
  if (await hasActed(change, watcher, audited, new Date(Date.now() - HOUR_MS))) return
  await recordAudit(change, watcher, audited)
}

/** The account's settings for its recorders. */
export async function recorderSettings(db: Db, account_id: string): Promise<RecorderSettings> {
  const { hide_watched_sign, instant_replay } = await readSettings(db, account_id)
  return { shows_sign: !hide_watched_sign, keeps_last_minute: !!instant_replay }
}

/** The account's settings. */
export async function readSettings(db: Db, account_id: string): Promise<Account['settings']> {
  const { settings } = await db
    .selectFrom('accounts')
    .select('settings')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  return settings as Account['settings']
}
