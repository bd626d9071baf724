import { type SqlBool, sql } from 'kysely'
import type { AuditDetails, AuditEntry, AuditFilters } from '#contract/accounts/audit.ts'
import type { User } from '../../../platform/caller.ts'
import { readCursor, writeCursor } from '../../../platform/cursor.ts'
import { type Change, type Db, type FieldChanges, hasChanges } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { pruneRows } from '../../../platform/db/prune-rows.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { newId } from '../../../platform/secrets.ts'
import { loadUsers } from '../users/users.ts'

export interface AuditedAction {
  /** The action with the kind of object: `user.disabled`. */
  action: string
  subject_id?: string | number | null
  subject_name?: string | null
  details?: Record<string, unknown>
}

/** Who did something: a user, or null for a system. */
export type Actor = Pick<User, 'account_id' | 'address' | 'api_key'> & { user_id: number | null }

/** Adds an entry, in the transaction of the action itself. */
export async function recordAudit({ db }: Pick<Change, 'db'>, actor: Actor, audited: AuditedAction): Promise<void> {
  const { action, subject_id, subject_name, details = {} } = audited
  await db
    .insertInto('audit_entries')
    .values({
      account_id: actor.account_id,
      id: newId(),
      action,
      user_id: actor.user_id,
      subject_id: subject_id === undefined || subject_id === null ? null : String(subject_id),
      subject_name: subject_name?.slice(0, 255) ?? null,
      details: toJson(actor.api_key ? { ...details, api_key_id: actor.api_key.id } : details),
      address: actor.address,
    })
    .execute()
}

/** Whether somebody has done something since a time, according to the log. */
export async function hasActed(
  { db }: Pick<Change, 'db'>,
  { account_id, user_id }: Pick<User, 'account_id' | 'user_id'>,
  { action, subject_id }: Pick<AuditedAction, 'action' | 'subject_id'>,
  since: Date,
): Promise<boolean> {
  const entry = await ofAccount(db, account_id)
    .selectFrom('audit_entries')
    .select('id')
    .where('user_id', '=', user_id)
    .where('action', '=', action)
    .where('subject_id', '=', String(subject_id))
    .where('created_at', '>', since.toISOString())
    .limit(1)
    .executeTakeFirst()
  return !!entry
}

/** Longer values are left out; their fields are still named. */
const MAX_VALUE_LENGTH = 200

/** Records who changed which fields, with old and new values. Without changes nothing is recorded. */
export async function recordChanges(
  change: Pick<Change, 'db'>,
  actor: Actor,
  audited: AuditedAction,
  changed: FieldChanges,
): Promise<void> {
  if (!hasChanges(changed)) return
  const short = Object.entries(changed).filter(([, values]) => JSON.stringify(values).length <= MAX_VALUE_LENGTH)
  const details: AuditDetails = { fields: Object.keys(changed), changes: Object.fromEntries(short) }
  await recordAudit(change, actor, { ...audited, details: { ...audited.details, ...details } })
}

/** Records that somebody joined the team by themselves. */
export function recordJoining(change: Pick<Change, 'db'>, newcomer: Actor, email: string): Promise<void> {
  return recordAudit(change, newcomer, { action: 'user.joined', subject_id: newcomer.user_id, subject_name: email })
}

/** Longer than a year, so that yearly work can be compared with the last time. */
export const AUDIT_DAYS = 400

/** Deletes entries that are too old. */
export function pruneAudit(db: Db): Promise<void> {
  return pruneRows(db, 'audit_entries', sql<SqlBool>`created_at < now() - make_interval(days => ${AUDIT_DAYS})`)
}

const PAGE = 50
export const EXPORT_LIMIT = 50_000

/** One page of the log, newest first. `after` is the `next` of the previous page. */
export async function listAuditEvents(
  db: Db,
  account_id: string,
  filters: AuditFilters,
  { after, limit = PAGE }: { after?: string | undefined; limit?: number } = {},
): Promise<{ data: AuditEntry[]; next: string | null }> {
  let query = matching(db, account_id, filters)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (after) {
    const { at, id } = readCursor(after)
    query = query.where(sql<SqlBool>`(created_at, id) < (${at}::timestamptz, ${id}::uuid)`)
  }
  const rows = await query.execute()
  const page = rows.slice(0, limit)
  const users = await loadUsers(
    db,
    account_id,
    page.flatMap((row) => row.user_id ?? []),
  )
  const last = page.at(-1)
  return {
    data: page.map((row) => ({
      ...row,
      details: row.details as AuditEntry['details'],
      user: users.get(row.user_id ?? 0) ?? null,
    })),
    next: rows.length > limit && last ? writeCursor({ at: last.created_at, id: last.id }) : null,
  }
}

function matching(db: Db, account_id: string, { action, user_id, from, to }: AuditFilters) {
  return ofAccount(db, account_id)
    .selectFrom('audit_entries')
    .select(['id', 'action', 'user_id', 'subject_id', 'subject_name', 'details', 'address', 'created_at'])
    .$if(!!action, (query) =>
      query.where((eb) => eb.or([eb('action', '=', action!), eb(sql`split_part(action, '.', 1)`, '=', action!)])),
    )
    .$if(user_id !== undefined, (query) => query.where('user_id', '=', user_id!))
    .$if(!!from, (query) => query.where('created_at', '>=', from!))
    .$if(!!to, (query) => query.where('created_at', '<', to!))
}
