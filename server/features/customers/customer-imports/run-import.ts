import { sql } from 'kysely'
import * as z from 'zod/mini'
import { type AttributeValue, readAttributeValue } from '#contract/customers/attribute-values.ts'
import type { AttributeDefinition } from '#contract/customers/attributes.ts'
import type { ImportField } from '#contract/customers/customer-imports.ts'
import { CustomerChanges } from '#contract/customers/customer-profiles.ts'
import { fieldLabel } from '#contract/field-label.ts'
import type { Context } from '../../../context.ts'
import type { Change } from '../../../platform/db/change.ts'
import { ofAccount } from '../../../platform/db/of-account.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import { defineJob } from '../../../platform/jobs/job.ts'
import { findAttribute, listAttributes } from '../attributes/definitions.ts'
import { addCustomers, type NewCustomer } from '../customers/adding-many.ts'
import { phoneDigits } from '../customers/phone-digits.ts'
import { announceProgress } from './progress.ts'
import { readList } from './read-list.ts'

export const runImport = defineJob('customers.import', {
  schema: z.object({ account_id: z.string(), import_id: z.string() }),
  run: (context: Context, { account_id, import_id }) => addAllRows(context, account_id, import_id),
})

const BATCH = 500
/** Rows that are held in memory at a time. */
const READ_ROWS = 5_000
const KEPT_ERRORS = 200

interface Progress {
  rows_done: number
  created_count: number
  updated_count: number
  failed_count: number
  errors: { row: number; message: string }[]
}

/**
 * Processes a file, some hundred rows per transaction, each of which records the progress: an interrupted run continues
 * where the last one stopped, and two at once cannot add a row twice.
 */
async function addAllRows(context: Context, account_id: string, id: string): Promise<void> {
  const { db, change } = context
  const customerImport = await ofAccount(db, account_id)
    .selectFrom('customer_imports')
    .select(['content', 'mapping', 'columns', 'rows_done', 'status'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!customerImport?.content || customerImport.status !== 'running') return
  const mapping = customerImport.mapping as (ImportField | null)[]
  const { content } = customerImport
  const targets = targetsOf(customerImport.columns, mapping, await listAttributes(db, account_id, 'customer'))
  let done = customerImport.rows_done
  for (;;) {
    const { rows } = await readList(context, account_id, content, { from: done, count: READ_ROWS })
    for (let at = 0; at < rows.length; at += BATCH) {
      const cells = rows.slice(at, at + BATCH)
      await change((tx) => workBatch(tx, { account_id, id, from: done, cells, columns: targets }))
      done += cells.length
    }
    if (rows.length < READ_ROWS) break
  }
  await change(async (tx) => {
    await ofAccount(tx.db, account_id)
      .updateTable('customer_imports')
      .set({ status: 'done', content: null, updated_at: new Date().toISOString() })
      .where('id', '=', id)
      .execute()
    await announceProgress(tx, account_id, id)
  })
}

interface Batch {
  account_id: string
  id: string
  /** Number of rows before these. */
  from: number
  cells: string[][]
  columns: Target[]
}

/** What becomes of a column's cells; null for nothing. */
type Target = { field: ImportField; key: string; attribute: AttributeDefinition | undefined } | null

/** A column of metadata belongs to the attribute of this name or key, otherwise its own name is the key. */
function targetsOf(columns: string[], mapping: (ImportField | null)[], attributes: AttributeDefinition[]): Target[] {
  return mapping.map((field, i) => {
    if (!field) return null
    const attribute = field === 'metadata' ? findAttribute(attributes, columns[i] ?? '') : undefined
    return { field, key: attribute?.key ?? columns[i] ?? '', attribute }
  })
}

async function workBatch(change: Change, { account_id, id, from, cells, columns }: Batch): Promise<void> {
  const { db } = change
  const progress = (await ofAccount(db, account_id)
    .selectFrom('customer_imports')
    .select(['rows_done', 'created_count', 'updated_count', 'failed_count', 'errors'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()) as Progress
  // Another run was faster.
  if (progress.rows_done !== from) return
  const good: NewCustomer[] = []
  const errors: Progress['errors'] = []
  for (const [i, row] of cells.entries()) {
    const read = readCustomer(row, columns)
    if ('problem' in read) errors.push({ row: from + i + 1, message: read.problem })
    else good.push(read)
  }
  const { created, updated } = await addCustomers(change, account_id, good)
  await ofAccount(db, account_id)
    .updateTable('customer_imports')
    .set({
      rows_done: from + cells.length,
      created_count: progress.created_count + created,
      updated_count: progress.updated_count + updated,
      failed_count: progress.failed_count + errors.length,
      errors: toJson([...progress.errors, ...errors].slice(0, KEPT_ERRORS)),
      updated_at: sql<string>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .execute()
  await announceProgress(change, account_id, id)
}

/** A row as a customer, or its error. */
function readCustomer(row: string[], columns: Target[]): NewCustomer | { problem: string } {
  const fields: Record<string, string> = {}
  const metadata = new Map<string, AttributeValue>()
  for (const [i, target] of columns.entries()) {
    const text = row[i]?.trim() ?? ''
    if (!target || text === '') continue
    const { field, key, attribute } = target
    if (attribute) {
      const read = readAttributeValue(attribute, text)
      if (read?.problem) return { problem: `${attribute.name} ${read.problem}` }
      if (read) metadata.set(key, read.value)
    } else if (field === 'metadata') metadata.set(key, text.slice(0, 2000).toWellFormed())
    else fields[field] = text
  }
  const parsed = z.safeParse(CustomerChanges, fields)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return { problem: `${fieldLabel(String(issue?.path[0] ?? 'row'))} ${issue?.message ?? 'is invalid'}` }
  }
  const { external_id = null, email = null, name = null, phone = null, time_zone = null } = parsed.data
  if (!external_id && !email && !phoneDigits(phone)) {
    return { problem: 'has no external id, e-mail address or phone number' }
  }
  return { external_id, email, name, phone, time_zone, metadata: Object.fromEntries(metadata) }
}
