import { Readable } from 'node:stream'
import { type SqlBool, sql } from 'kysely'
import type { AttributeDefinition } from '#contract/customers/attributes.ts'
import type { CustomerFilters } from '#contract/customers/customer-profiles.ts'
import type { Customer } from '#contract/customers/customers.ts'
import { cell, csvHead, csvLine } from '../../../platform/csv.ts'
import type { Db } from '../../../platform/db/change.ts'
import { all } from '../../conversations/search/conditions.ts'
import { listAttributes } from '../attributes/definitions.ts'
import { columnsWhere } from '../customers/columns.ts'
import { buildQuestion, type Question } from './customer-query.ts'

/** In the column order that programs for Papercups expect. */
const EXPORTED = columnsWhere('csv', true)

const BATCH = 1000

type ExportedRow = Record<(typeof EXPORTED)[number], string | null> & Pick<Customer, 'metadata'>

/** Every matching customer as CSV, a thousand at a time to limit memory. */
export function exportCustomers(db: Db, account_id: string, filters: CustomerFilters): Readable {
  return Readable.from(lines(db, account_id, filters), { objectMode: false })
}

/** Some customers as CSV, such as one page of the list. */
export async function writeCustomers(db: Db, account_id: string, customers: ExportedRow[]): Promise<Readable> {
  const attributes = await listAttributes(db, account_id, 'customer')
  const lines = customers.map((row) => writeLine(row, attributes))
  return Readable.from([headOf(attributes) + lines.join('')], { objectMode: false })
}

/** Attributes have columns of their names, behind those on which programs rely. */
function headOf(attributes: AttributeDefinition[]): string {
  return csvHead([...EXPORTED, ...attributes.map(({ name }) => cell(name))])
}

function writeLine(row: ExportedRow, attributes: AttributeDefinition[]): string {
  return csvLine([...EXPORTED.map((column) => row[column]), ...attributes.map(({ key }) => textOf(row.metadata, key))])
}

/** Values of other programs may be lists and objects. */
function textOf(metadata: Record<string, unknown>, key: string): string {
  const value = Object.hasOwn(metadata, key) ? metadata[key] : undefined
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

async function* lines(db: Db, account_id: string, filters: CustomerFilters): AsyncGenerator<string> {
  const attributes = await listAttributes(db, account_id, 'customer')
  yield headOf(attributes)
  const question = buildQuestion(account_id, filters)
  let last: ExportedRow | undefined
  while (question) {
    const rows = await readBatch(db, question, last)
    if (rows.length > 0) yield rows.map((row) => writeLine(row, attributes)).join('')
    last = rows.at(-1)
    if (rows.length < BATCH) return
  }
}

async function readBatch(db: Db, { conditions }: Question, after: ExportedRow | undefined): Promise<ExportedRow[]> {
  const cursorConditions = after ? [sql<SqlBool>`(c.last_seen_at, c.id) < (${after.last_seen_at}, ${after.id})`] : []
  const { rows } = await sql<ExportedRow>`
    select ${sql.join(EXPORTED.map((column) => sql.ref(`c.${column}`)))}, c.metadata from customers c
    where ${all([...conditions, ...cursorConditions])} order by c.last_seen_at desc, c.id desc limit ${BATCH}`.execute(
    db,
  )
  return rows
}
