import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import pino from 'pino'
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#server/platform/db/embedded.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { TABLES } from '../bin/transfer/papercups/tables.ts'
import { header, report, time } from './figures.ts'
import { addressOf } from './installation.ts'
import { databaseBytes, residentBytes } from './processes.ts'

/** `npm run bench:import -- --messages 1000000`: moving in from a Papercups database, the second time with nothing new. */
const { values } = parseArgs({ options: { messages: { type: 'string', default: '1000000' } } })
const MESSAGES = Number(values.messages)
/** As in the installations of the contract page: many customers without a word, short conversations. */
const CONVERSATIONS = Math.ceil(MESSAGES / 8)
const CUSTOMERS = Math.ceil(MESSAGES / 5)
const SAMPLE_MS = 200
const SECRET_KEY = 'b'.repeat(64)

/** Ids are scattered, as those of Papercups are; bodies have some eighty characters. */
const FILL = `
insert into accounts (id, company_name, inserted_at, updated_at) values (md5('account')::uuid, 'Acme', '2020-01-01', '2020-01-01');
insert into users (id, email, account_id, role, inserted_at, updated_at)
select n, 'user' || n || '@acme.test', md5('account')::uuid, 'admin', '2020-01-01', '2020-01-01' from generate_series(1, 20) n;
insert into inboxes (id, account_id, name, is_primary, inserted_at, updated_at)
values (md5('inbox')::uuid, md5('account')::uuid, 'Primary Inbox', true, '2020-01-01', '2020-01-01');
insert into customers (id, account_id, first_seen, last_seen_at, name, email, external_id, browser, os, current_url, inserted_at, updated_at)
select md5('customer' || n)::uuid, md5('account')::uuid, '2021-01-01', t, 'Customer ' || n, n || '@mail.test', n::text, 'Firefox', 'Linux', 'https://shop.test/' || n, t, t
from (select n, timestamp '2021-01-01' + n * interval '1 minute' as t from generate_series(1, ${CUSTOMERS}) n) c;
insert into conversations (id, account_id, customer_id, inbox_id, assignee_id, status, priority, source, read, last_activity_at, closed_at, inserted_at, updated_at)
select md5('conversation' || n)::uuid, md5('account')::uuid, md5('customer' || 1 + n % ${CUSTOMERS})::uuid, md5('inbox')::uuid, 1 + n % 20,
  case when n % 10 > 0 then 'closed' else 'open' end, 'not_priority', 'chat', true, t, case when n % 10 > 0 then t end, t, t
from (select n, timestamp '2021-01-01' + n * interval '1 minute' as t from generate_series(1, ${CONVERSATIONS}) n) c;
insert into messages (id, account_id, conversation_id, customer_id, user_id, body, type, private, source, content_type, sent_at, inserted_at, updated_at)
select md5('message' || n)::uuid, md5('account')::uuid, md5('conversation' || 1 + n % ${CONVERSATIONS})::uuid,
  case when n / ${CONVERSATIONS} % 2 = 0 then md5('customer' || 1 + (1 + n % ${CONVERSATIONS}) % ${CUSTOMERS})::uuid end,
  case when n / ${CONVERSATIONS} % 2 = 1 then 1 + n % 20 end,
  (select string_agg((array['order', 'lamp', 'invoice', 'thank', 'you', 'when', 'will', 'it', 'arrive', 'the', 'shipping', 'address', 'is', 'wrong', 'today', 'please'])[1 + floor(random() * 16)::int], ' ')
   from generate_series(1, 14 + n * 0)) || ' ' || n,
  'reply', false, 'chat', 'text', t, t, t
from (select n, timestamp '2021-01-01' + (1 + n % ${CONVERSATIONS}) * interval '1 minute' + n / ${CONVERSATIONS} * interval '40 seconds' as t
      from generate_series(1, ${MESSAGES}) n) m;
analyze`

header(`Moving in from Papercups with ${MESSAGES.toLocaleString('en')} messages`)
const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
const log = pino({ level: 'silent' })
const embedded = await startEmbeddedDatabase({ dataDir, log })
try {
  await migrate(embedded.connection, log)
  const source = await makePapercups(embedded)
  for (const run of ['first import', 'second import, nothing new']) {
    const { seconds, command, database } = await runImport(embedded, source)
    report(run, `${seconds.toFixed(0)} s, ${Math.round(MESSAGES / seconds).toLocaleString('en')} messages a second`)
    report('  memory of the command, at most', mb(command))
    report('  and of the database, above before', mb(database))
  }
} finally {
  await embedded.stop()
  await rm(dataDir, { recursive: true, force: true })
}

/** @returns the address of a new database with the tables of Papercups */
async function makePapercups({ connection }: EmbeddedDatabase): Promise<string> {
  const admin = new pg.Client(connection)
  await admin.connect()
  await admin.query('create database papercups template template0')
  await admin.end()
  const client = new pg.Client({ ...connection, database: 'papercups' })
  await client.connect()
  for (const [table, columns] of Object.entries(TABLES)) {
    const definitions = Object.entries(columns).map(([column, type]) => `"${column}" ${type}`)
    await client.query(`create table "${table}" (${definitions.join(', ')})`)
  }
  await client.query(FILL)
  await client.end()
  return addressOf({ ...connection, database: 'papercups' })
}

async function runImport({ connection, pid }: EmbeddedDatabase, source: string) {
  const postmaster = pid()
  const before = databaseBytes(postmaster)
  const most = { command: 0, database: 0 }
  const seconds =
    (await time(async () => {
      const child = spawn(
        process.execPath,
        ['--max-semi-space-size=4', resolve(import.meta.dirname, '../bin/parley.ts'), 'import-papercups', source],
        { env: { ...process.env, DATABASE_URL: addressOf(connection), DATA_DIR: dataDir, SECRET_KEY }, stdio: 'pipe' },
      )
      let output = ''
      child.stdout.on('data', (piece) => (output += String(piece)))
      child.stderr.on('data', (piece) => (output += String(piece)))
      const sampling = setInterval(() => {
        if (child.exitCode !== null) return
        most.command = Math.max(most.command, residentBytes(child.pid!))
        most.database = Math.max(most.database, databaseBytes(postmaster) - before)
      }, SAMPLE_MS)
      const code = await new Promise((settle) => child.once('exit', settle))
      clearInterval(sampling)
      if (code !== 0) throw new Error(output)
    })) / 1_000
  return { seconds, ...most }
}

function mb(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
