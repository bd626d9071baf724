import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { migrate, migrationsFolder, readMigrations } from '#server/platform/db/migrate.ts'
import { freshDatabase } from '#tests/support/database.ts'

const MIGRATION = '20261201T1200-mail-options.sql'
const ids = (n: number) => `00000000-0000-4000-8000-00000000000${n}`
const ACCOUNT = ids(0)

test('in an existing database, replies that wait to be sent keep the copies and the subject of their authors', async () => {
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
  const chosen = JSON.stringify({ mail_cc: ['boss@house.test'], mail_bcc: 'nobody', mail_subject: 'Your desk' })
  await client.query(`
    insert into accounts (id, company_name) values ('${ACCOUNT}', 'Acme');
    insert into inboxes (account_id, id, name, is_primary) values ('${ACCOUNT}', '${ids(9)}', 'Website', true);
    insert into users (account_id, id, email, password_hash, role) values ('${ACCOUNT}', 7, 'ada@acme.test', 'x', 'admin');
    insert into customers (account_id, id) values ('${ACCOUNT}', '${ids(1)}');
    insert into conversations (account_id, id, customer_id, inbox_id) values
      ('${ACCOUNT}', '${ids(2)}', '${ids(1)}', '${ids(9)}');
    insert into messages (account_id, id, conversation_id, number, body, type, source, user_id, created_at, metadata)
      select '${ACCOUNT}', id::uuid, '${ids(2)}', number, 'Here.', 'reply', 'email', 7, now(), '${chosen}'
      from (values ('${ids(3)}', 1), ('${ids(4)}', 2)) as written (id, number);
    insert into deliveries (account_id, id, integration, queue, message_id, kind, state) values
      ('${ACCOUNT}', '${ids(5)}', 'ses', 'q', '${ids(3)}', 'post', 'waiting'),
      ('${ACCOUNT}', '${ids(6)}', 'ses', 'q', '${ids(4)}', 'post', 'sent');
  `)
  await migrate(database.connection, log)
  const { rows } = await client.query('select message_id, recipients, cc, bcc, subject from mail_options')
  expect(rows).toEqual([
    { message_id: ids(3), recipients: null, cc: ['boss@house.test'], bcc: null, subject: 'Your desk' },
  ])
  await client.end()
  await database.drop()
  await rm(folder, { recursive: true })
})
