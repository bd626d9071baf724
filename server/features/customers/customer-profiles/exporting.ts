import { Readable } from 'node:stream'
import { type SqlBool, sql } from 'kysely'
import type { CustomerFilters } from '#contract/customers/customer-profiles.ts'
import { csvHead, csvLine } from '../../../platform/csv.ts'
import type { Db } from '../../../platform/db/change.ts'
import { all } from '../../conversations/search/conditions.ts'
import { columnsWhere } from '../customers/columns.ts'
import { buildQuestion, type Question } from './customer-query.ts'

/** In the column order that programs for Papercups expect. */
const EXPORTED = columnsWhere('csv', true)

const BATCH = 1000

type ExportedRow = Record<(typeof EXPORTED)[number], string | null>

/** Every matching customer as CSV, a thousand at a time to limit memory. */
export function exportCustomers(db: Db, account_id: string, filters: CustomerFilters): Readable {
  return Readable.from(lines(db, account_id, filters), { objectMode: false })
}

/** Some customers as CSV, such as one page of the list. */
export function writeCustomers(customers: ExportedRow[]): Readable {
  return Readable.from([csvHead(EXPORTED) + customers.map(writeLine).join('')], { objectMode: false })
}

function writeLine(row: ExportedRow): string {
  return csvLine(EXPORTED.map((column) => row[column]))
}

async function* lines(db: Db, account_id: string, filters: CustomerFilters): AsyncGenerator<string> {
  yield csvHead(EXPORTED)
  const question = await buildQuestion(db, account_id, filters)
  let last: ExportedRow | undefined
  while (question) {
    const rows = await readBatch(db, question, last)
    if (rows.length > 0) yield rows.map(writeLine).join('')
    last = rows.at(-1)
    if (rows.length < BATCH) return
  }
}

async function readBatch(db: Db, { conditions }: Question, after: ExportedRow | undefined): Promise<ExportedRow[]> {
  const place = after ? [sql<SqlBool>`(c.last_seen_at, c.id) < (${after.last_seen_at}, ${after.id})`] : []
  const { rows } = await sql<ExportedRow>`
    select ${sql.join(EXPORTED.map((column) => sql.ref(`c.${column}`)))} from customers c
    where ${all([...conditions, ...place])} order by c.last_seen_at desc, c.id desc limit ${BATCH}`.execute(db)
  return rows
}
