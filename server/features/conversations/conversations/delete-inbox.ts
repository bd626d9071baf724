import { sql } from 'kysely'
import { conversationUpdated } from '#contract/conversations/conversations.ts'
import { accessChanged } from '#contract/customers/customers.ts'
import { Invalid, NotFound } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import type { Change, MakeChange } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { recordAudit } from '../../accounts/audit/audit.ts'
import { moveAuthorizations } from '../../connections/authorizations/connect.ts'
import { requiresProof } from '../../customers/customers/unsigned-claims.ts'
import { assertNotPrimary, deleteInbox, getInbox, listInboxes, lockInbox } from '../../widget/inboxes/inboxes.ts'
import { columns, presentConversationRow, type StoredConversation } from './conversations.ts'

const BATCH = 300

/** The inbox to empty, and the one that gets its conversations. */
interface InboxMove {
  account_id: string
  from: string
  to: string
}

/**
 * Deletes an inbox for good. Its conversations, including archived ones, are first moved to another inbox, in batches,
 * so that nobody who writes in one waits long; those that started meanwhile are moved by the last change, and so are
 * its connections. If the server stops in between, repeating the call continues.
 * @throws Unacceptable for the primary inbox, and for one with conversations if no other inbox is named
 */
export async function deleteInboxMovingConversations(
  change: MakeChange,
  caller: User,
  id: string,
  move_to: string | undefined,
): Promise<void> {
  const { account_id } = caller
  const move = move_to && { account_id, from: id, to: move_to }
  if (move) await moveAll(change, move)
  await change(async (tx) => {
    const inbox = await lockInbox(tx, account_id, id)
    if (move) await moveAll((work) => work(tx), move)
    await moveAuthorizations(tx, caller, id, move_to)
    await deleteInbox(tx, inbox)
    const audited = { action: 'inbox.deleted', subject_id: id, subject_name: inbox.name }
    await recordAudit(tx, caller, { ...audited, details: move ? await destinationOf(tx, inbox.name, move) : {} })
  })
}

/** In order of ids, so that it ends even if conversations come back as fast as they are moved. */
async function moveAll(change: MakeChange, move: InboxMove): Promise<void> {
  let last: string | undefined
  do {
    const after = last
    last = await change((tx) => moveSome(tx, move, after))
  } while (last)
}

/** Moves the next batch after an id, and returns the batch's last id; undefined if there are no more. */
async function moveSome(tx: Change, move: InboxMove, after: string | undefined): Promise<string | undefined> {
  await assertMoveAllowed(tx, move)
  const { account_id, from, to } = move
  const next = await ofAccount(tx.db, account_id)
    .selectFrom('conversations')
    .select('id')
    .where('inbox_id', '=', from)
    .$if(!!after, (query) => query.where('id', '>', after!))
    .orderBy('id')
    .limit(BATCH)
    .forUpdate()
    .execute()
  if (next.length === 0) return undefined
  const ids = next.map(({ id }) => id)
  const moved = await ofAccount(tx.db, account_id)
    .updateTable('conversations')
    .set({ inbox_id: to, version: sql<number>`version + 1`, updated_at: sql<string>`clock_timestamp()` })
    .where('id', 'in', ids)
    .returning(columns)
    .$castTo<StoredConversation>()
    .execute()
  // The new inbox may require more of clients that listen.
  const listeners = (await requiresProof(tx.db, account_id, to)) ? new Set(moved.map((row) => row.customer_id)) : []
  for (const customer_id of listeners) tx.announce(account_id, accessChanged, { customer_id })
  for (const row of moved) tx.announce(account_id, conversationUpdated, { conversation: presentConversationRow(row) })
  return ids.at(-1)
}

/** Checked in every change, because either inbox may have been deleted meanwhile. */
async function assertMoveAllowed({ db }: Change, { account_id, from, to }: InboxMove): Promise<void> {
  const inboxes = await listInboxes(db, account_id)
  const inbox = inboxes.find(({ id }) => id === from)
  if (!inbox) throw new NotFound()
  assertNotPrimary(inbox)
  if (to === from) throw new Invalid({ move_to: ['must be another inbox'] })
  if (!inboxes.some(({ id }) => id === to)) throw new Invalid({ move_to: ['does not exist'] })
}

async function destinationOf({ db }: Change, from: string, { account_id, to: moved_to }: InboxMove) {
  const { name } = await getInbox(db, account_id, moved_to)
  return { fields: ['conversations'], changes: { conversations: { from, to: name } }, moved_to }
}
