import { type SqlBool, sql } from 'kysely'
import type { AttributeDefinition } from '#contract/customers/attributes.ts'
import {
  type CustomerImport,
  IMPORT_ROW_LIMIT,
  type ImportEncoding,
  type ImportField,
} from '#contract/customers/customer-imports.ts'
import type { Context } from '../../../context.ts'
import { Invalid, NotFound, Unacceptable } from '../../../errors.ts'
import type { Change, Db } from '../../../platform/db/change.ts'
import { acrossAccounts, ofAccount } from '../../../platform/db/of-account.ts'
import { pruneRows } from '../../../platform/db/prune-rows.ts'
import { toJson } from '../../../platform/db/to-json.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { newId } from '../../../platform/secrets.ts'
import { WorkerKilled } from '../../../platform/workers/worker-errors.ts'
import { escapeLike } from '../../conversations/messages/messages.ts'
import { findAttribute, listAttributes } from '../attributes/definitions.ts'
import { readCsv } from './csv.ts'
import { announceProgress, progressColumns } from './progress.ts'
import { readList } from './read-list.ts'
import { runImport } from './run-import.ts'

const columns = [...progressColumns, 'filename', 'encoding', 'columns', 'mapping', 'errors', 'created_at'] as const
const PREVIEW_ROWS = 5
const SHOWN = 20
/** Characters of a column name or of a previewed cell. */
const MAX_CELL_LENGTH = 200
/** Characters from which the preview is made. */
const PREVIEW_LENGTH = 20_000

type ImportRow = Omit<CustomerImport, 'object' | 'preview' | 'mapping'> & { mapping: CustomerImport['mapping'] | null }

function presentCustomerImport(
  row: ImportRow,
  attributes: AttributeDefinition[],
  content?: string | null,
): CustomerImport {
  return {
    ...row,
    object: 'customer_import',
    mapping: row.mapping ?? suggestMapping(row.columns, attributes),
    preview: content ? firstRows(content) : [],
  }
}

/**
 * Stores a file of customers, after parsing it once so that errors are reported before anything is added.
 * @throws Unacceptable; WorkersBusy; WorkersStopped
 */
export async function storeImport(
  { db, change, workers }: Context,
  account_id: string,
  user_id: number,
  { filename, content, encoding }: { filename: string; content: string; encoding: ImportEncoding | null },
): Promise<CustomerImport> {
  if (content.includes('\u0000')) throw new Unacceptable('This file is not a text file. Save it as CSV and try again.')
  const { head, total: rows_total } = await readList({ workers }, account_id, content).catch((error: unknown) => {
    if (!(error instanceof WorkerKilled)) throw error
    throw new Unacceptable('This file cannot be read as a list. Save it as CSV and try again.')
  })
  if (!head) throw new Unacceptable('This file is empty.')
  if (rows_total === 0) throw new Unacceptable('This file has no rows below its header.')
  if (rows_total > IMPORT_ROW_LIMIT) {
    throw new Unacceptable(`This file has ${rows_total} rows. Split it into files of at most ${IMPORT_ROW_LIMIT}.`)
  }
  const names = head.map((name) => name.trim().slice(0, MAX_CELL_LENGTH))
  const row = await change(({ db }) =>
    db
      .insertInto('customer_imports')
      .values({ account_id, id: newId(), user_id, filename, encoding, content, columns: names, rows_total })
      .returning(columns)
      .$castTo<ImportRow>()
      .executeTakeFirstOrThrow(),
  )
  return presentCustomerImport(row, await listAttributes(db, account_id, 'customer'), content)
}

/** Deletes unstarted files that contain one of these texts. */
export async function deleteImportsWith(
  { db }: Pick<Change, 'db'>,
  account_id: string,
  words: string[],
): Promise<void> {
  await ofAccount(db, account_id)
    .deleteFrom('customer_imports')
    .where('status', '=', 'waiting')
    .where(sql<boolean>`content ilike any(${words.map((word) => `%${escapeLike(word)}%`)}::text[])`)
    .execute()
}

const KEPT_HOURS = 24

/** Deletes files not started for a day: they contain personal data. */
export async function pruneUnstartedImports(db: Db): Promise<void> {
  const before = new Date(Date.now() - KEPT_HOURS * 3_600_000).toISOString()
  await acrossAccounts(db, 'looks after all accounts at once')
    .deleteFrom('customer_imports')
    .where('status', '=', 'waiting')
    .where('created_at', '<', before)
    .execute()
}

const RESULTS_KEPT_DAYS = 90

/** Deletes imports without progress for months: finished ones, and those whose job has failed for good. */
export function pruneImports(db: Db): Promise<void> {
  return pruneRows(
    db,
    'customer_imports',
    sql<SqlBool>`updated_at < now() - make_interval(days => ${RESULTS_KEPT_DAYS})`,
  )
}

export async function listImports(db: Db, account_id: string): Promise<CustomerImport[]> {
  const rows = await ofAccount(db, account_id)
    .selectFrom('customer_imports')
    .select(columns)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .$castTo<ImportRow>()
    .execute()
  const attributes = await listAttributes(db, account_id, 'customer')
  return rows.map((row) => presentCustomerImport(row, attributes))
}

export async function getImport(db: Db, account_id: string, id: string): Promise<CustomerImport> {
  const row = await ofAccount(db, account_id)
    .selectFrom('customer_imports')
    .select([...columns, 'content'])
    .where('id', '=', id)
    .$castTo<ImportRow & { content: string | null }>()
    .executeTakeFirst()
  if (!row) throw new NotFound()
  const { content, ...shown } = row
  return presentCustomerImport(shown, await listAttributes(db, account_id, 'customer'), content)
}

/** Starts an import. A started one continues unchanged. */
export async function startImport(
  change: Change,
  jobs: Jobs,
  account_id: string,
  id: string,
  mapping: CustomerImport['mapping'],
): Promise<CustomerImport> {
  const { db } = change
  const customerImport = await getImport(db, account_id, id)
  assertUsable(customerImport, mapping)
  const { numUpdatedRows } = await ofAccount(db, account_id)
    .updateTable('customer_imports')
    .set({ mapping: toJson(mapping), status: 'running', updated_at: new Date().toISOString() })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  if (numUpdatedRows) {
    await jobs.enqueue(db, runImport, { account_id, import_id: id })
    await announceProgress(change, account_id, id)
  }
  return getImport(db, account_id, id)
}

/** Fields by which a row identifies a person. */
const IDENTIFYING: ImportField[] = ['external_id', 'email', 'phone']

/** Rows must identify a person, so that importing a file twice duplicates nobody; and no field may be mapped twice. */
function assertUsable({ columns: names }: CustomerImport, mapping: CustomerImport['mapping']) {
  if (mapping.length !== names.length) throw new Invalid({ mapping: ['should have one entry for each column'] })
  if (!IDENTIFYING.some((field) => mapping.includes(field))) {
    throw new Invalid({
      mapping: ['must include a column for the external ID, the e-mail address or the phone number'],
    })
  }
  const single = mapping.filter((field) => field && field !== 'metadata')
  if (new Set(single).size < single.length) throw new Invalid({ mapping: ['contains a field twice'] })
}

/** If two match one field, the first is preferred. */
const NAMES: [RegExp, ImportField][] = [
  [/^(external|customer|user)[ _-]?id$/i, 'external_id'],
  [/^id$/i, 'external_id'],
  [/^e-?mail([ _-]?address)?$|^thư điện tử$/i, 'email'],
  [/^(full[ _-]?|display[ _-]?)?name$|^(họ )?tên$/i, 'name'],
  [/^(phone|mobile|cell|tel(ephone|efon)?|handy)([ _-]?(number|no\.?|nr\.?))?$|^(số )?điện thoại$/i, 'phone'],
  [/^time[ _-]?zone$/i, 'time_zone'],
]

/** A suggested mapping from the column names, each field once: our own export has an id beside the external id. */
function suggestMapping(columns: string[], attributes: AttributeDefinition[]): CustomerImport['mapping'] {
  const best = new Map<ImportField, number>()
  for (const [pattern, field] of NAMES) {
    const at = columns.findIndex((name) => pattern.test(name))
    if (at !== -1 && !best.has(field)) best.set(field, at)
  }
  const fields = new Map([...best].map(([field, at]) => [at, field]))
  return columns.map((name, at) => fields.get(at) ?? (findAttribute(attributes, name) ? 'metadata' : null))
}

function firstRows(content: string): string[][] {
  const shown: string[][] = []
  const rows = readCsv(content.slice(0, PREVIEW_LENGTH))
  rows.next()
  for (const row of rows) {
    shown.push(row.map((cell) => cell.slice(0, MAX_CELL_LENGTH)))
    if (shown.length === PREVIEW_ROWS) break
  }
  return shown
}
