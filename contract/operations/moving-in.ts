import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { FilledText, maybe, Ok, Text, Timestamp } from '../wire.ts'

/** The products that people can move from with a file of their database. */
export const MOVING_PRODUCTS = [
  { id: 'papercups', name: 'Papercups' },
  { id: 'chatwoot', name: 'Chatwoot' },
] as const
const ProductId = z.enum(MOVING_PRODUCTS.map(({ id }) => id))
export type ProductId = z.output<typeof ProductId>

/** What an import does, in this order. */
export const MOVING_PARTS = ['fetching', 'reading', 'converting', 'counting', 'files'] as const

/** How far an import is. */
export const MovingProgress = z.object({
  part: z.enum(MOVING_PARTS).check(z.describe('What it is doing.')),
  fraction: z.number().check(z.describe('Of all of it, from 0 to 1.')),
  seconds_left: z.nullable(z.int32()).check(z.describe('Null until there is something to judge by.')),
})
export type MovingProgress = z.output<typeof MovingProgress>

/** What became of one table of the source. */
export const MovedTable = z.object({
  table: z.string().check(z.describe('Name of the table in the source.')),
  source: z.int32().check(z.describe('Rows in the source.')),
  moved: z.int32().check(z.describe('Rows that were moved, or would be.')),
  reasons: z.record(z.string(), z.int32()).check(z.describe('Numbers of rows that were set aside, by reason.')),
  present: z
    .nullable(z.int32())
    .check(z.describe('Rows of the moved companies in Parley; null if it has no such table, and after a check.')),
})
export type MovedTable = z.output<typeof MovedTable>

/** The report of a check, or of an import. */
export const MovingReport = z.object({
  is_dry_run: z.boolean().check(z.describe('Whether it is of a check, which changes nothing.')),
  tables: z.array(MovedTable),
  left_out: z
    .array(
      z.object({
        table: z.string().check(z.describe('Name of the table in the source.')),
        count: z.int32(),
        advice: z.string().check(z.describe('What to do instead.')),
      }),
    )
    .check(z.describe('What has no place in Parley, with what people do instead.')),
  missing_files: z.int32().check(z.describe('Attached files without bytes.')),
  text: z.string().check(z.describe('The whole report as a text, to be downloaded.')),
})
export type MovingReport = z.output<typeof MovingReport>

/**
 * The only import of this installation that is prepared, running or done. `uploading` until the whole file is there,
 * `waiting` until somebody starts something, `checking` and `moving` while a process works.
 */
export const MovingIn = z.object({
  object: z.literal('moving_in'),
  may_move: z.boolean().check(z.describe('False for all companies but the one that set up the installation.')),
  max_bytes: z.number().check(z.describe('The largest file in bytes; 0 if this page is switched off.')),
  state: z
    .enum(['none', 'uploading', 'waiting', 'checking', 'moving'])
    .check(z.describe('`waiting`: the file is there, and nothing runs.')),
  product: z.nullable(ProductId).check(z.describe('The product that the file comes from.')),
  file: z.nullable(
    z.object({
      name: z.string(),
      size: z.number().check(z.describe('In bytes.')),
      received: z.number().check(z.describe('Bytes that have arrived.')),
    }),
  ),
  api: z
    .nullable(
      z.object({
        address: z.string().check(z.describe('Of the old server.')),
        account: z.nullable(z.string()).check(z.describe('Number of the account there.')),
        has_token: z.boolean().check(z.describe('Whether its access token is still here.')),
      }),
    )
    .check(z.describe('The server whose API is read instead of a file.')),
  progress: z.nullable(MovingProgress),
  report: z.nullable(MovingReport).check(z.describe('Of the last check or import that ended.')),
  /**
   * Why the last one did not end well. Nothing was changed, except where it is `incomplete`: then everything is moved, but
   * sums of reports and files are missing until it is started again. `text` is a sentence.
   */
  problem: z.nullable(
    z.object({
      kind: z
        .enum(['stopped', 'killed', 'failed', 'incomplete'])
        .check(
          z.describe(
            '`incomplete`: everything is moved, but sums of reports and files are missing until it is started again.',
          ),
        ),
      text: z.nullable(z.string()).check(z.describe('As a sentence.')),
    }),
  ),
  ended_at: z.nullable(Timestamp).check(z.describe('When the last check or import ended.')),
})
export type MovingIn = z.output<typeof MovingIn>

/** Products whose API can be read, where nobody has the database. */
export const API_PRODUCTS = ['chatwoot'] as const satisfies ProductId[]

/** In forms all fields are texts. */
const Offset = z.pipe(
  z.string().check(z.regex(/^\d{1,15}$/, 'is invalid')),
  z.transform((text: string) => Number(text)),
)

const answer = data(MovingIn)
/** Only the company that set up the installation, and what is not possible at the moment. */
const refusals = [403, 409] as const

/** Calls for moving in from another product, for the company that set up the installation. */
export const movingIn = {
  get: endpoint('admin', 'GET', '/api/installation/moving_in', {
    summary: 'Returns the import from another product that is prepared, running or done.',
    answer,
    session_only: true,
  }),
  begin: endpoint('admin', 'POST', '/api/installation/moving_in', {
    summary: 'Begins the upload of a dump of another product’s database, in place of an earlier one.',
    body: z.object({
      product: ProductId.check(z.describe('The product that the file comes from.')),
      filename: Text(300),
      size: z.number().check(z.describe('In bytes.'), z.int(), z.gte(1), z.lte(1e15)),
    }),
    answer,
    refusals,
    session_only: true,
  }),
  addPiece: endpoint('admin', 'POST', '/api/installation/moving_in/pieces', {
    summary:
      'Adds a piece of the file, as multipart field `file`, at `offset` bytes. If the server has another number of bytes, 409; the caller then goes on from there.',
    body: z.object({ offset: Offset.check(z.describe('Bytes of the file before this piece.')), file: z.unknown() }),
    answer,
    refusals,
    session_only: true,
    takes_file: true,
    counts_bytes: false,
  }),
  connect: endpoint('admin', 'POST', '/api/installation/moving_in/api', {
    summary:
      'Names the server of another product whose API is read instead of a file, in place of an earlier upload. The access token is kept encrypted until everything is moved.',
    body: z.object({
      product: z.enum(API_PRODUCTS).check(z.describe('The product of that server.')),
      address: Text(300).check(
        z.trim(),
        z.regex(/^https?:\/\/[^\s/?#]/i, 'has to begin with https://'),
        z.describe('Web address of that server; a path in it is ignored.'),
      ),
      token: FilledText(300).check(z.describe('The access token of an administrator there.')),
      account: maybe(Text(12).check(z.regex(/^\d*$/, 'is no number'))).check(
        z.describe('Number of the account there; needed if the token opens several.'),
      ),
    }),
    answer,
    refusals,
    session_only: true,
  }),
  check: endpoint('admin', 'POST', '/api/installation/moving_in/check', {
    summary: 'Reports what an import would move, without changing anything.',
    answer,
    refusals,
    session_only: true,
    status: 202,
  }),
  start: endpoint('admin', 'POST', '/api/installation/moving_in/start', {
    summary: 'Moves everything in the file into this installation, all or nothing. It may be repeated.',
    answer,
    refusals,
    session_only: true,
    status: 202,
  }),
  stop: endpoint('admin', 'POST', '/api/installation/moving_in/stop', {
    summary: 'Stops a check or an import.',
    answer,
    refusals,
    session_only: true,
  }),
  remove: endpoint('admin', 'DELETE', '/api/installation/moving_in', {
    summary: 'Deletes the uploaded file and the report.',
    answer: data(Ok),
    refusals,
    session_only: true,
  }),
}
