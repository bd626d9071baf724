import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { migrate, migrationsFolder, readMigrations } from '#server/platform/db/migrate.ts'
import { freshDatabase } from '#tests/support/database.ts'

const MIGRATION = '20261122T1100-unsigned-claims.sql'
const ids = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const ACCOUNT = ids(0)
const INBOX = ids(9)

test('in an existing database, each customer is classified by its traces, and replies go to the same addresses as before', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'))
  const names = (await readMigrations()).map(({ name }) => name)
  for (const name of names.filter((one) => one < MIGRATION)) {
    await copyFile(join(migrationsFolder, name), join(folder, name))
  }
  const database = await freshDatabase('template0')
  const log = pino({ level: 'silent' })
  await migrate(database.connection, log, folder)
  const client = new pg.Client(database.connection)
  await client.connect()
  await client.query(`
    insert into accounts (id, company_name) values ('${ACCOUNT}', 'Acme');
    insert into inboxes (account_id, id, name, is_primary) values ('${ACCOUNT}', '${INBOX}', 'Website', true);
    insert into customers (account_id, id, name, email, external_id, ip, identity_proven_at, metadata) values
      ('${ACCOUNT}', '${ids(1)}', 'Browser', 'browser@customer.test', 'b', '10.0.0.1', null, '{"plan": 1}'),
      ('${ACCOUNT}', '${ids(2)}', 'Session', 'session@customer.test', null, null, null, '{}'),
      ('${ACCOUNT}', '${ids(3)}', 'Team', 'team@customer.test', 't', null, null, '{"vip": true}'),
      ('${ACCOUNT}', '${ids(4)}', 'Proof', 'proof@customer.test', 'p', '10.0.0.1', now(), '{}');
    insert into visitor_sessions (account_id, id, customer_id, token_hash) values
      ('${ACCOUNT}', '${ids(5)}', '${ids(2)}', 'a');
    insert into conversations (account_id, id, customer_id, inbox_id)
      select account_id, id, id, '${INBOX}' from customers;
  `)
  await migrate(database.connection, log)
  const { rows } = await client.query(`
    select c.name, origin, field_sources, v.visitor_session_id, v.reply_email, s.email from customers c
    join conversations v on v.id = c.id left join visitor_sessions s on s.id = v.visitor_session_id order by c.id`)
  const none = { visitor_session_id: null, reply_email: null, email: null }
  expect(rows).toEqual([
    { name: 'Browser', origin: 'browser', field_sources: {}, ...none, reply_email: 'browser@customer.test' },
    {
      name: 'Session',
      origin: 'browser',
      field_sources: {},
      visitor_session_id: ids(5),
      reply_email: null,
      email: 'session@customer.test',
    },
    {
      name: 'Team',
      origin: 'team',
      field_sources: { name: 'team', email: 'team', external_id: 'team', 'metadata.vip': 'team' },
      ...none,
    },
    { name: 'Proof', origin: 'proof', field_sources: { email: 'proof', external_id: 'proof' }, ...none },
  ])
  await client.end()
  await database.drop()
  await rm(folder, { recursive: true })
})
