import pg from 'pg'
import { createAccount } from '#server/features/accounts/accounts.ts'
import { hashPassword } from '#server/features/auth-sessions/passwords.ts'
import { createInbox } from '#server/features/inboxes/inboxes.ts'
import { recountAccount } from '#server/features/reporting/counting.ts'
import { createUser } from '#server/features/users/users.ts'
import { createChange } from '#server/platform/db/change.ts'
import { type ConnectionConfig, connect } from '#server/platform/db/connection.ts'
import type { Log } from '#server/platform/log.ts'
import { copyRows } from './copy.ts'
import { RECORD_COLUMNS, RECORD_TABLES, recordRows } from './records.ts'
import {
  CONVERSATION_COLUMNS,
  type Company,
  CUSTOMER_COLUMNS,
  conversations,
  customerRows,
  MESSAGE_COLUMNS,
  type Row,
} from './rows.ts'

export const SEED_PASSWORD = 'lantern-and-oak'

const TEAM = [
  { email: 'ada@lumenandoak.example', full_name: 'Ada Marsh', display_name: 'Ada', role: 'admin' },
  { email: 'binh@lumenandoak.example', full_name: 'Bình Nguyễn', display_name: 'Bình', role: 'user' },
] as const

interface Size {
  customers?: number
  conversations?: number
  /** Total number; without it each conversation has its natural length. */
  messages?: number
}

/** Copying a million messages, or building their index, is a single statement. */
const STATEMENT_TIMEOUT_SECONDS = 3600

/** Fills a migrated database with a realistic company. Throws when it exists already. */
export async function seedCompany(config: ConnectionConfig, log: Log, size: Size = {}) {
  const connection = connect(config, log, undefined, { seconds: STATEMENT_TIMEOUT_SECONDS })
  try {
    const company: Company = {
      ...(await createTeam(connection.kysely)),
      customers: size.customers ?? 200,
      conversations: size.conversations ?? 500,
      messages: size.messages ?? 0,
    }
    // COPY needs a connection of its own: those of the pool pipeline statements, which COPY does not support.
    const client = new pg.Client({ ...connection.pool.options, ...config, pipeline: false })
    await client.connect()
    try {
      const messages = await fillCompany(client, company)
      // A server would do it at its next start, while people are already using it.
      await recountAccount(connection.kysely, company.account_id)
      return {
        account_id: company.account_id,
        inbox_ids: company.inbox_ids,
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

async function createTeam(db: ReturnType<typeof connect>['kysely']) {
  const taken = await db.selectFrom('users').select('id').where('email', '=', TEAM[0].email).executeTakeFirst()
  if (taken) throw new Error(`${TEAM[0].email} exists already: seed an empty database, or set another DATA_DIR.`)
  const change = createChange(db, { append: async () => [], publish: () => undefined })
  const password_hash = await hashPassword(SEED_PASSWORD)
  return change(async (open) => {
    const account_id = await createAccount(open, 'Lumen & Oak', { billing: false })
    const user_ids: number[] = []
    for (const { email, role, ...names } of TEAM) {
      const { id } = await createUser(open, account_id, { email, role, password_hash })
      await open.db.updateTable('users').set(names).where('account_id', '=', account_id).where('id', '=', id).execute()
      user_ids.push(id)
    }
    for (const name of ['Sales', 'Returns', 'Hỗ trợ tiếng Việt']) await createInbox(open, account_id, { name })
    await open.db
      .updateTable('accounts')
      .set({
        time_zone: 'Europe/London',
        working_hours: JSON.stringify([{ day: 'weekdays', start_minute: 540, end_minute: 1080 }]),
      })
      .where('id', '=', account_id)
      .execute()
    const inboxes = await open.db
      .selectFrom('inboxes')
      .select('id')
      .where('account_id', '=', account_id)
      .orderBy('created_at')
      .orderBy('name', 'desc')
      .execute()
    return {
      account_id,
      user_ids,
      agents: TEAM.map(({ display_name }) => display_name),
      inbox_ids: inboxes.map(({ id }) => id),
    }
  })
}

/** Inserts rows by COPY in one transaction; counters are computed once at the end instead of once per row. */
async function fillCompany(client: pg.Client, company: Company): Promise<number> {
  const now = Date.now()
  await client.query('begin')
  await client.query('set local idle_in_transaction_session_timeout = 0')
  await client.query('alter table conversations disable trigger user')
  const rebuildSearch = await dropSearchIndex(client)
  const records = recordRows(company, now)
  await copyRows(client, 'companies', RECORD_COLUMNS.companies, records.companies)
  await copyRows(client, 'customers', CUSTOMER_COLUMNS, customerRows(company, now))
  await copyRows(
    client,
    'conversations',
    CONVERSATION_COLUMNS,
    map(conversations(company, now), ({ conversation }) => [conversation]),
  )
  const messages = await copyRows(
    client,
    'messages',
    MESSAGE_COLUMNS,
    map(conversations(company, now), (seeded) => seeded.messages),
  )
  // A customer was present when they wrote their last message.
  await client.query(
    `update customers set last_seen_at = greatest(last_seen_at, times.last), updated_at = greatest(updated_at, times.last),
       created_at = least(created_at, times.first), first_seen = least(first_seen, times.first::date)
     from (select customer_id, min(created_at) as first, max(last_activity_at) as last
           from conversations where account_id = $1 group by customer_id) times
     where customers.account_id = $1 and customers.id = times.customer_id`,
    [company.account_id],
  )
  for (const table of RECORD_TABLES) {
    if (table !== 'companies') await copyRows(client, table, RECORD_COLUMNS[table], records[table])
  }
  await client.query('alter table conversations enable trigger user')
  await rebuildSearch()
  await client.query(
    `insert into unread_counters (account_id, counter, slot, count)
     select account_id, counter, 0, count(*) from conversations c, conversation_counters_of(c) counter where account_id = $1 group by 1, 2`,
    [company.account_id],
  )
  await client.query('commit')
  await client.query('vacuum analyze customers, customer_tags, conversations, messages, message_words')
  return messages
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

function* map<From>(from: Iterable<From>, rows: (one: From) => Iterable<Row>): Generator<Row> {
  for (const one of from) yield* rows(one)
}
