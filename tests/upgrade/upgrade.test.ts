/**
 * Databases and backups of 0.3.0, the last version with single migrations, which later ones replaced by a baseline.
 * `migrations-0.3.0.json.gz` contains those migrations by name, `backup-0.3.0.gz` is a backup that 0.3.0 wrote.
 */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { conversations } from '#contract/conversations/conversations.ts'
import { BASELINE, isReplaced } from '#server/platform/db/baseline.ts'
import { apply, migrate, readApplied } from '#server/platform/db/migrate.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { runParley, urlOf } from '../support/operator.ts'
import { startTestServer } from '../support/server.ts'
import { PASSWORD } from '../support/world.ts'

const BACKUP = resolve(import.meta.dirname, 'backup-0.3.0.gz')
const log = pino({ level: 'silent' })
const unzipped = async (name: string) => gunzipSync(await readFile(resolve(import.meta.dirname, name))).toString()
const migrations = Object.entries<string>(JSON.parse(await unzipped('migrations-0.3.0.json.gz')))
const ACCOUNT = '00000000-0000-4000-8000-000000000001'

/** A database of 0.3.0, or of the version that had only the first `count` migrations. */
async function createOld(count = migrations.length): Promise<{ database: FreshDatabase; client: pg.Client }> {
  const database = await freshDatabase('template0')
  const client = await connect(database)
  onTestFinished(async () => {
    await client.end()
    await database.drop()
  })
  await readApplied(client)
  for (const [name, sql] of migrations.slice(0, count)) {
    await apply(client, { name, sql, sha256: createHash('sha256').update(sql).digest('hex') })
  }
  return { database, client }
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-upgrade-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function connect({ connection }: FreshDatabase): Promise<pg.Client> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(`set timezone = 'UTC'`)
  return client
}

test('a database of 0.3.0 keeps its rows and has the same tables, indexes, functions and triggers as a new one', async () => {
  const { database, client } = await createOld()
  await client.query(`
    insert into accounts (id, company_name) values ('${ACCOUNT}', 'Older');
    insert into inboxes (account_id, id, name, is_primary) values ('${ACCOUNT}', '${ACCOUNT}', 'Chat', true);
    insert into customers (account_id, id) values ('${ACCOUNT}', '${ACCOUNT}');
    insert into conversations (account_id, id, customer_id, inbox_id) values ('${ACCOUNT}', '${ACCOUNT}', '${ACCOUNT}', '${ACCOUNT}');
    insert into messages (account_id, id, conversation_id, customer_id, number, body, created_at)
      values ('${ACCOUNT}', '${ACCOUNT}', '${ACCOUNT}', '${ACCOUNT}', 1, 'quagga', now());`)
  await migrate(database.connection, log)
  await migrate(database.connection, log)
  expect((await client.query('select body from messages')).rows).toEqual([{ body: 'quagga' }])
  const { rows } = await client.query('select name from migrations where name = $1', [BASELINE])
  expect(rows).toHaveLength(1)

  const fresh = await freshDatabase()
  const other = await connect(fresh)
  expect(await readCatalogue(client)).toEqual(await readCatalogue(other))
  await other.end()
  await fresh.drop()
})

test('a database of a version before 0.3.0 is refused unchanged, with the version to install first', async () => {
  const { database, client } = await createOld(migrations.length - 1)
  const before = [await readCatalogue(client), (await client.query('select * from migrations')).rows]
  await expect(migrate(database.connection, log)).rejects.toThrow('upgrade to 0.3.0 first, then to this version')
  expect([await readCatalogue(client), (await client.query('select * from migrations')).rows]).toEqual(before)
})

test('servers of 0.3.0 find none of their migrations missing after another server was upgraded', async () => {
  const { database, client } = await createOld()
  await migrate(database.connection, log)
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(migrations.map(([name]) => name)))
})

test('the baseline replaces the migrations of 0.3.0 and no others', () => {
  expect(migrations.map(([name]) => name).filter((name) => !isReplaced(name))).toEqual([])
  expect(isReplaced(BASELINE)).toBe(false)
})

test('a backup of 0.3.0 is restored with its people and conversations', async () => {
  const folder = await temporaryFolder()
  const target = await freshDatabase('template0')
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const { code, output } = await runParley('restore', BACKUP, { DATA_DIR: dataDir, DATABASE_URL: urlOf(target) })
  expect(output).toMatch(/Read \d+ lines/)
  expect(code).toBe(0)
  const SECRET_KEY = await readFile(join(dataDir, 'secret.key'), 'utf8')
  const server = await startTestServer({ SECRET_KEY }, undefined, target)
  const user = { email: 'ada@acme.test', password: PASSWORD }
  const { body } = await server.request('POST', '/api/session', { body: { user } })
  const list = await server.request('GET', conversations.list.path, { token: body.data.token })
  expect(JSON.stringify(list.body)).toContain('Written in version 0.3.0')
  await server.close()
  await target.drop()
})

test('a backup of a version before 0.3.0 is refused with the way to restore it', async () => {
  const folder = await temporaryFolder()
  const [first = '', ...rest] = (await unzipped('backup-0.3.0.gz')).split('\n')
  const opening = JSON.parse(first)
  const older = JSON.stringify({ ...opening, migrations: opening.migrations.slice(0, -1) })
  const path = join(folder, 'older.gz')
  await writeFile(path, gzipSync([older, ...rest].join('\n')))
  const target = await freshDatabase('template0')
  const { code, output } = await runParley('restore', path, { DATA_DIR: folder, DATABASE_URL: urlOf(target) })
  expect(output).toContain('restore it with 0.3.0, back up there, and restore that backup with this version')
  expect(code).toBe(1)
  await target.drop()
})

/** Everything in the database but its rows, one line for each thing. */
async function readCatalogue(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    with tables as (select * from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace)
    select format('table %s %s', relname, reloptions) as line from tables
    union all
    select format('column %s.%s %s %s not null %s %s%s default %s', relname, row_number() over (partition by t.oid order by attnum),
             attname, format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, pg_get_expr(adbin, adrelid))
      from pg_attribute a join tables t on t.oid = attrelid left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attnum > 0 and not attisdropped
    union all
    select format('constraint %s.%s %s', relname, conname, pg_get_constraintdef(c.oid)) from pg_constraint c join tables t on t.oid = conrelid
    union all
    select pg_get_indexdef(indexrelid) from pg_index join tables t on t.oid = indrelid
    union all
    select format('%s %s', pg_get_triggerdef(g.oid), tgenabled) from pg_trigger g join tables t on t.oid = tgrelid where not tgisinternal
    union all
    select pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace
    order by 1`)
  return rows.map(({ line }) => line)
}
