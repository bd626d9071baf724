import { sql } from 'kysely'
import type { CustomerNote } from '#contract/customers/customer-notes.ts'
import { noteCreated, noteDeleted, noteUpdated } from '#contract/customers/customer-notes.ts'
import { Forbidden, Invalid, NotFound } from '../../../errors.ts'
import type { User } from '../../../platform/caller.ts'
import { readCursor, writeCursor } from '../../../platform/cursor.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { newId } from '../../../platform/secrets.ts'
import { loadUsers } from '../../accounts/users/users.ts'
import { loadCustomers, resolveCustomer } from '../customers/customers.ts'

const columns = ['id', 'body', 'customer_id', 'author_id', 'created_at', 'updated_at'] as const
const PAGE_LIMIT = 100

type NoteRow = { [Column in (typeof columns)[number]]: CustomerNote[Column] }

function select(db: Db, account_id: string) {
  return ofAccount(db, account_id).selectFrom('customer_notes').select(columns).$castTo<NoteRow>()
}

async function expand(db: Db, account_id: string, rows: NoteRow[]): Promise<CustomerNote[]> {
  const authors = await loadUsers(
    db,
    account_id,
    rows.map(({ author_id }) => author_id),
  )
  return rows.map((row) => ({
    ...row,
    object: 'note',
    content_type: 'text',
    author: authors.get(row.author_id) ?? null,
  }))
}

interface NoteFilters {
  customer_id?: string
  author_id?: number
  after?: string
  limit?: number
}

function newestFirst(db: Db, account_id: string, limit: number) {
  return select(db, account_id).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(sql.lit(limit))
}

/** The newest notes about a customer, with their authors. */
export async function listNotesAbout(db: Db, account_id: string, customer_id: string): Promise<CustomerNote[]> {
  const rows = await newestFirst(db, account_id, PAGE_LIMIT).where('customer_id', '=', customer_id).execute()
  return expand(db, account_id, rows)
}

/** Notes with their authors and customers, newest first, page by page. */
export async function listNotes(db: Db, account_id: string, filters: NoteFilters) {
  const limit = Math.min(Math.max(filters.limit ?? PAGE_LIMIT, 1), PAGE_LIMIT)
  let query = newestFirst(db, account_id, limit + 1)
  const customer = filters.customer_id && (await resolveCustomer(db, filters.customer_id, account_id))
  if (filters.customer_id) query = query.where('customer_id', '=', customer ? customer.id : filters.customer_id)
  if (filters.author_id !== undefined) query = query.where('author_id', '=', filters.author_id)
  if (filters.after) {
    const { at, id } = readCursor(filters.after)
    query = query.where(sql<boolean>`(created_at, id) < (${at}::timestamptz, ${id}::uuid)`)
  }
  const rows = await query.execute()
  const shown = rows.slice(0, limit)
  const customers = await loadCustomers(
    db,
    account_id,
    shown.map(({ customer_id }) => customer_id),
  )
  const last = shown.at(-1)
  return {
    data: (await expand(db, account_id, shown)).map((note) => ({
      ...note,
      customer: customers.get(note.customer_id)!,
    })),
    next: rows.length > limit && last ? writeCursor({ at: last.created_at, id: last.id }) : null,
  }
}

export async function getNote(db: Db, account_id: string, id: string): Promise<CustomerNote> {
  const row = await select(db, account_id).where('id', '=', id).executeTakeFirst()
  const [note] = row ? await expand(db, account_id, [row]) : []
  if (!note) throw new NotFound()
  return note
}

interface NoteDraft {
  customer_id: string
  body: string
}

export async function createNote(change: Change, account_id: string, author_id: number, draft: NoteDraft) {
  const customer = await resolveCustomer(change.db, draft.customer_id, account_id)
  if (!customer) throw new Invalid({ customer_id: ['does not exist'] })
  const id = newId()
  const values = { account_id, id, customer_id: customer.id, author_id, body: draft.body }
  // Two notes with the same time would have no order.
  const at = new Date().toISOString()
  await change.db
    .insertInto('customer_notes')
    .values({ ...values, created_at: at, updated_at: at })
    .execute()
  const note = await getNote(change.db, account_id, id)
  change.announce(account_id, noteCreated, { note })
  return note
}

/** Changes a note. Only its author, or an admin, may. */
export async function updateNote(change: Change, caller: User, id: string, changes: { body?: string }) {
  const { account_id } = caller
  await getEditableNote(change.db, caller, id)
  await ofAccount(change.db, account_id)
    .updateTable('customer_notes')
    .set({ ...changes, updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .execute()
  const note = await getNote(change.db, account_id, id)
  change.announce(account_id, noteUpdated, { note })
  return note
}

/** Deletes a note. Only its author, or an admin, may. */
export async function deleteNote(change: Change, caller: User, id: string): Promise<null> {
  const { account_id } = caller
  const { customer_id } = await getEditableNote(change.db, caller, id)
  await ofAccount(change.db, account_id).deleteFrom('customer_notes').where('id', '=', id).execute()
  change.announce(account_id, noteDeleted, { note_id: id, customer_id })
  return null
}

async function getEditableNote(db: Db, { account_id, user_id, role }: User, id: string): Promise<NoteRow> {
  const note = await select(db, account_id).where('id', '=', id).executeTakeFirst()
  if (!note) throw new NotFound()
  if (note.author_id !== user_id && role !== 'admin') {
    throw new Forbidden('Only the author or an admin may change this note.')
  }
  return note
}
