import pg from 'pg'
import { recountAccount } from '#server/features/conversations/reporting/counting.ts'
import { type ConnectionConfig, connect } from '#server/platform/db/connection.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { Log } from '#server/platform/log.ts'
import { drawFiles } from './attachments.ts'
import type { Company, Row } from './company.ts'
import {
  CONVERSATION_COLUMNS,
  conversations,
  MAIL_COLUMNS,
  MESSAGE_COLUMNS,
  RATING_COLUMNS,
  type Seeded,
  type SentFile,
  THREAD_COLUMNS,
} from './conversations.ts'
import { copyRows } from './copy.ts'
import { CUSTOMER_COLUMNS, customerRows } from './customers.ts'
import { createHelpCenter } from './help-center.ts'
import { RECORD_COLUMNS, recordRows } from './records.ts'
import { idOf } from './seeded-random.ts'
import { createTeam, TEAM } from './team.ts'

interface Size {
  customers?: number
  conversations?: number
  /** Total number; without it each conversation has its natural length. */
  messages?: number
  /** How long ago the company began, in days. */
  days?: number
  /** The share of conversations that are still open although they are older than two weeks. */
  open_share?: number
}

/** Copying a million messages, or building their index, is a single statement. */
const STATEMENT_TIMEOUT_SECONDS = 3600
const YEARS = 5

const FILE_COLUMNS = [
  'account_id',
  'id',
  'key',
  'filename',
  'content_type',
  'size',
  'user_id',
  'customer_id',
  'created_at',
  'attached_at',
  'width',
  'height',
]

/**
 * Fills a migrated database with a lively company of five years.
 * @param files where the contents of attachments go; without it nobody sends files
 * @throws Error if the company exists
 */
export async function seedCompany(config: ConnectionConfig, log: Log, size: Size = {}, files?: FileStore) {
  const connection = connect(config, log, undefined, { seconds: STATEMENT_TIMEOUT_SECONDS })
  try {
    const company: Company = {
      ...(await createTeam(connection.kysely)),
      customers: size.customers ?? 800,
      conversations: size.conversations ?? 3_600,
      messages: size.messages ?? 0,
      days: size.days ?? YEARS * 365,
      open_share: size.open_share ?? 0.004,
      files: files ? await drawFiles() : new Map(),
    }
    // COPY needs a connection of its own: those of the pool pipeline statements, which COPY does not support.
    const client = new pg.Client({ ...connection.pool.options, ...config, pipeline: false })
    await client.connect()
    try {
      const messages = await fillCompany(client, company, files)
      await createHelpCenter(connection.kysely, company)
      // A server would do it at its next start, while people are already using it.
      await recountAccount(connection.kysely, company.account_id)
      return {
        account_id: company.account_id,
        inbox_ids: company.inboxes.map(({ id }) => id),
        emails: TEAM.map(({ email }) => email),
        messages,
      }
    } finally {
      await client.end()
    }
  } finally {
    await connection.end()
  }
}

/** Inserts rows by COPY in one transaction; counters are computed once at the end instead of once per row. */
async function fillCompany(client: pg.Client, company: Company, store: FileStore | undefined): Promise<number> {
  const now = Date.now()
  await client.query('begin')
  await client.query('set local idle_in_transaction_session_timeout = 0')
  await client.query('alter table conversations disable trigger user')
  const rebuildSearch = await dropSearchIndex(client)
  const { companies, tags, ...records } = recordRows(company, now)
  await copyRows(client, 'companies', RECORD_COLUMNS.companies, companies)
  await copyRows(client, 'tags', RECORD_COLUMNS.tags, tags)
  await copyRows(client, 'customers', CUSTOMER_COLUMNS, customerRows(company, now))
  const messages = await copyConversations(client, company, now, store)
  await setCustomerTimes(client, company.account_id)
  for (const [table, rows] of Object.entries(records)) {
    await copyRows(client, table, RECORD_COLUMNS[table as keyof typeof records], rows)
  }
  await client.query('alter table conversations enable trigger user')
  await rebuildSearch()
  await fillDerivedTables(client, company.account_id)
  await client.query('commit')
  await client.query('vacuum analyze customers, customer_tags, conversations, messages, message_words')
  return messages
}

async function copyConversations(
  client: pg.Client,
  company: Company,
  now: number,
  store: FileStore | undefined,
): Promise<number> {
  const beside = {
    mails: [] as Row[],
    ratings: [] as Row[],
    threads: [] as Row[],
    tags: [] as Row[],
    files: [] as SentFile[],
  }
  await copyRows(
    client,
    'conversations',
    CONVERSATION_COLUMNS,
    map(conversations(company, now), ({ conversation, topic, ...seeded }) => {
      beside.mails.push(...seeded.mails)
      beside.ratings.push(...seeded.ratings)
      beside.threads.push(...seeded.threads)
      beside.files.push(...seeded.files)
      if (topic) beside.tags.push([company.account_id, conversation[1]!, idOf(`tag ${topic}`)])
      return [conversation]
    }),
  )
  // The same conversations again, so that a million messages need not be in memory.
  const messages = await copyRows(
    client,
    'messages',
    MESSAGE_COLUMNS,
    map(conversations(company, now), (seeded: Seeded) => seeded.messages),
  )
  await copyRows(client, 'conversation_tags', ['account_id', 'conversation_id', 'tag_id'], beside.tags)
  await copyRows(client, 'message_mails', MAIL_COLUMNS, beside.mails)
  await copyRows(client, 'conversation_ratings', RATING_COLUMNS, beside.ratings)
  await copyRows(client, 'external_threads', THREAD_COLUMNS, beside.threads)
  if (store) await storeFiles(client, company, beside.files, store)
  return messages
}

/** First the contents, then the rows, so that no row refers to nothing. */
async function storeFiles(client: pg.Client, company: Company, sent: SentFile[], store: FileStore): Promise<void> {
  const rows: Row[] = []
  const links: Row[] = []
  for (const { name, message_id, customer_id, user_id, at } of sent) {
    const { bytes, content_type, width, height } = company.files.get(name)!
    const id = idOf(`file of ${message_id}`)
    const key = `${company.account_id}/${id}`
    await store.put(key, bytes, content_type)
    rows.push([
      company.account_id,
      id,
      key,
      name,
      content_type,
      bytes.length,
      user_id,
      customer_id,
      at,
      at,
      width,
      height,
    ])
    links.push([company.account_id, message_id, id, 0])
  }
  await copyRows(client, 'files', FILE_COLUMNS, rows)
  await copyRows(client, 'message_files', ['account_id', 'message_id', 'file_id', 'position'], links)
}

/** Customers were first seen when they began their first conversation, and last when they were last active. */
async function setCustomerTimes(client: pg.Client, account_id: string): Promise<void> {
  await client.query(
    `update customers set last_seen_at = times.last, updated_at = times.last, created_at = times.first, first_seen = times.first::date
     from (select customer_id, min(created_at) as first, max(last_activity_at) as last
           from conversations where account_id = $1 group by customer_id) times
     where customers.account_id = $1 and customers.id = times.customer_id`,
    [account_id],
  )
}

/** What triggers would have written row by row. */
async function fillDerivedTables(client: pg.Client, account_id: string): Promise<void> {
  await client.query(
    `insert into unread_counters (account_id, counter, slot, count)
     select account_id, counter, 0, count(*) from conversations c, conversation_counters_of(c) counter where account_id = $1 group by 1, 2`,
    [account_id],
  )
  await client.query(
    `insert into subject_words (account_id, conversation_id, words)
     select account_id, id, words_of(subject) from conversations where account_id = $1 and subject is not null`,
    [account_id],
  )
}

/** Building the word index at once takes a fraction of the time of a million insertions. */
async function dropSearchIndex(client: pg.Client): Promise<() => Promise<unknown>> {
  const index = 'message_words_keys'
  const { rows } = await client.query<{ definition: string }>('select pg_get_indexdef($1::regclass) as definition', [
    index,
  ])
  await client.query(`drop index ${index}; set local maintenance_work_mem = '256MB'`)
  return () => client.query(rows[0]!.definition)
}

function* map<From>(from: Iterable<From>, rows: (item: From) => Iterable<Row>): Generator<Row> {
  for (const item of from) yield* rows(item)
}
