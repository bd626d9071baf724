import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Context } from '../../../context.ts'
import { Unacceptable } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { setSuspended } from '../../accounts/accounts/suspension.ts'
import { endBilling } from '../../accounts/billing/ending.ts'
import { destroySomeInbound } from '../../connections/inbound/inbound-events.ts'
import { destroyConversations } from '../../conversations/conversations/destroy-conversations.ts'
import { destroyFiles } from '../../conversations/files/files.ts'
import { destroySomeOriginals } from '../../mail/conversation-mails/originals.ts'

export const destroyAccount = defineJob('accounts.destroy', {
  schema: z.object({ account_id: z.string() }),
  run: (context: Context, { account_id }) => destroyEverything(context, account_id),
})

const BATCH = 200
const ROWS_AT_ONCE = 2_000

/**
 * Closes an account for good: from now on nobody can sign in and all sessions are invalid, and a job destroys the data.
 * That may take long for years of conversations, and continues where it stopped if the server does.
 * @throws Unacceptable unless the company's name was typed
 */
export async function closeAccount(
  context: Context,
  { account_id, user_id }: User,
  company_name: string | null | undefined,
): Promise<null> {
  await context.change(async (tx) => {
    const account = await tx.db
      .selectFrom('accounts')
      .select('company_name')
      .where('id', '=', account_id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (company_name?.trim() !== account.company_name.trim()) {
      throw new Unacceptable(
        'This deletes the account with all its data. To confirm, send the name of the company as `company_name`.',
      )
    }
    await beginClosing(context, tx, account_id)
  })
  await context.realtime.disconnect({ account_id })
  context.log.info({ account_id, user_id }, 'An admin closed their account')
  return null
}

/**
 * Closes an account without further questions, in the caller's transaction: it is suspended, so nobody has access
 * however long the rest takes, and a job destroys its data.
 */
export async function beginClosing(
  context: Pick<Context, 'config' | 'jobs'>,
  tx: Change,
  account_id: string,
): Promise<void> {
  await setSuspended(context, tx, account_id, true)
  await revokeAllAccess(tx.db, account_id)
  await endBilling(context, tx.db, account_id)
  await context.jobs.enqueue(tx.db, destroyAccount, { account_id })
}

const CREDENTIALS = [
  'auth_sessions',
  'personal_api_keys',
  'visitor_sessions',
  'user_invitations',
  'one_time_tokens',
  'authorization_credentials',
  'integration_apps',
] as const

/** Nobody has access any more, however long the rest takes. */
async function revokeAllAccess(db: Change['db'], account_id: string): Promise<void> {
  for (const table of CREDENTIALS) {
    await db.deleteFrom(table).where('account_id', '=', account_id).execute()
  }
  // Writes users, too: closing destroys an account with everything in it.
  await ofAccount(db, account_id)
    .updateTable('users')
    .set({ disabled_at: new Date().toISOString() })
    .where('disabled_at', 'is', null)
    .execute()
}

/** Large tables, in an order that leaves no dangling references. */
const LONG = [
  'customer_merges',
  'customer_notes',
  'page_visits',
  'browser_sessions',
  'customers',
  'events',
  'mails',
  'audit_entries',
  'message_counts',
] as const

/** Destroys a part of what is left of one kind, and returns how much. */
type Step = (tx: Change) => Promise<number>

/**
 * Destroys a closed account in short steps. Data added meanwhile from open pages is destroyed by the last step, which
 * locks out further additions. Running it twice does no harm.
 */
async function destroyEverything(context: Context, account_id: string): Promise<void> {
  const steps: Step[] = [
    (tx) => destroySomeConversations(context, tx, account_id),
    (tx) => destroySomeFiles(context, tx, account_id),
    (tx) => destroySomeInbound(context, tx, account_id),
    (tx) => destroySomeOriginals(context, tx, account_id),
    ({ db }) => partMerged(db, account_id),
    ...LONG.map(
      (table): Step =>
        ({ db }) =>
          deleteSome(db, table, account_id),
    ),
  ]
  for (const step of steps) while ((await context.change(step)) > 0);
  await context.change(async (tx) => {
    const account = tx.db.selectFrom('accounts').select('id').where('id', '=', account_id)
    await account.forUpdate().execute()
    for (const step of steps) while ((await step(tx)) > 0);
    // Writes accounts, too: closing destroys an account with everything in it.
    await tx.db.deleteFrom('accounts').where('id', '=', account_id).execute()
  })
  await context.realtime.disconnect({ account_id })
}

async function destroySomeConversations(context: Context, tx: Change, account_id: string): Promise<number> {
  const batch = await ofAccount(tx.db, account_id)
    .selectFrom('conversations')
    .select('id')
    .limit(BATCH)
    .forUpdate()
    .execute()
  await destroyConversations(
    context,
    tx,
    account_id,
    batch.map(({ id }) => id),
  )
  return batch.length
}

/** Uploaded files that were never sent, or are shown elsewhere. */
async function destroySomeFiles(context: Context, tx: Change, account_id: string): Promise<number> {
  const batch = await ofAccount(tx.db, account_id).selectFrom('files').select('id').limit(BATCH).execute()
  return destroyFiles(
    context,
    tx,
    account_id,
    batch.map(({ id }) => id),
  )
}

/** Customers merged into another refer to that one. */
async function partMerged(db: Change['db'], account_id: string): Promise<number> {
  // Writes customers, too: closing destroys an account with everything in it.
  const { numUpdatedRows } = await ofAccount(db, account_id)
    .updateTable('customers')
    .set({ merged_into: null })
    .where('merged_into', 'is not', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

async function deleteSome(db: Change['db'], table: (typeof LONG)[number], account_id: string): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where(
      sql<boolean>`ctid = any (array(select ctid from ${sql.table(table)} where account_id = ${account_id} limit ${ROWS_AT_ONCE}))`,
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
