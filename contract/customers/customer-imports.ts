import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { Id, ifAny, Text, Timestamp } from '../wire.ts'

/** The fields that a column can be imported into. `metadata` uses the column's own name as key. */
export const IMPORT_FIELDS = ['external_id', 'name', 'email', 'phone', 'time_zone', 'metadata'] as const
/** The meaning of an imported column. */
export const ImportField = z.enum(IMPORT_FIELDS)
export type ImportField = z.output<typeof ImportField>

/** Character encodings of spreadsheets, by their names on the web. */
export const IMPORT_ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1257',
  'windows-1258',
  'macintosh',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
] as const
export const ImportEncoding = z.enum(IMPORT_ENCODINGS)
export type ImportEncoding = z.output<typeof ImportEncoding>

/** Maximum number of rows in a file. */
export const IMPORT_ROW_LIMIT = 50_000

/** An import: its file, the mapping of columns, progress, and rejected rows. */
export const CustomerImport = z.object({
  id: z.string(),
  object: z.literal('customer_import'),
  filename: z.string(),
  encoding: z
    .nullable(ImportEncoding)
    .check(z.describe('The character encoding by which the file was read; null if its text was sent in `content`.')),
  columns: z.array(z.string()).check(z.describe('Names of the columns, from the first row.')),
  mapping: z
    .array(z.nullable(ImportField))
    .check(z.describe('Field by column; null skips it. Before the start: a suggestion from the column names.')),
  preview: z.array(z.array(z.string())).check(z.describe('The first rows. Empty once the import has finished.')),
  status: z.enum(['waiting', 'running', 'done']).check(z.describe('`waiting` until the mapping is chosen.')),
  rows_total: z.int32().check(z.describe('Rows below the header.')),
  rows_done: z.int32().check(z.describe('Rows that were read so far.')),
  created_count: z.int32().check(z.describe('Customers that were added.')),
  updated_count: z.int32().check(z.describe('Customers that were updated.')),
  failed_count: z.int32().check(z.describe('Rows that were skipped.')),
  errors: z
    .array(z.object({ row: z.int32().check(z.describe('Counted from 1 below the header.')), message: z.string() }))
    .check(z.describe('Skipped rows with reasons, counted from 1 below the header; the first 200.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type CustomerImport = z.output<typeof CustomerImport>

/** An import's progress, without fields that are constant or may be long. */
export const ImportProgress = z.pick(CustomerImport, {
  id: true,
  object: true,
  status: true,
  rows_total: true,
  rows_done: true,
  created_count: true,
  updated_count: true,
  failed_count: true,
  updated_at: true,
})
export type ImportProgress = z.output<typeof ImportProgress>

/** An import progressed, finished or failed. */
export const customerImportUpdated = defineEvent('customer_import:updated', {
  receivers: 'team',
  payload: { progress: ImportProgress },
})

/** Calls about imports of customers, for users who may manage customers. */
export const customerImports = {
  upload: endpoint('user', 'POST', '/api/customers/import', {
    summary:
      'Uploads a CSV file of customers, as multipart field `file` or as text in `content`. Nothing is imported before it is started.',
    body: z.object({
      file: z.optional(z.unknown()).check(z.describe('A CSV file, as a part of a form.')),
      content: z.optional(
        Text(8_000_000).check(z.meta({ examples: ['email,name\r\ncarla@example.com,Carla Reyes\r\n'] })),
      ),
      filename: z.optional(Text(300)),
      encoding: ifAny(ImportEncoding).check(z.describe('The character encoding of `file`; guessed by default.')),
    }),
    answer: data(CustomerImport),
    status: 201,
    body_limit: 9_000_000,
    takes_file: true,
  }),
  list: endpoint('user', 'GET', '/api/customer_imports', {
    summary: 'Lists the newest 20 imports, without their first rows.',
    answer: data(z.array(CustomerImport)),
  }),
  get: endpoint('user', 'GET', '/api/customer_imports/:id', {
    summary: 'Returns an import with its progress.',
    answer: data(CustomerImport),
  }),
  start: endpoint('user', 'POST', '/api/customer_imports/:id/start', {
    summary:
      'Creates or updates the customers of a file, matched by external id, else by e-mail, else by phone number. Starting it again changes nothing.',
    params: z.object({ id: Id }),
    body: z.object({
      mapping: z
        .array(z.nullable(ImportField))
        .check(z.maxLength(200))
        .check(z.describe('Field by column; null skips it.')),
    }),
    answer: data(CustomerImport),
  }),
}
