import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts'
import { migrate, migrationState, migrationsFolder, readMigrations } from './migrate.ts'

const log = pino({ level: 'silent' })
let folder: string
let database: FreshDatabase
let pool: pg.Pool

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'))
  database = await freshDatabase('template0')
  pool = new pg.Pool({ ...database.connection, max: 2 })
  await write('20260101T0000-birds.sql', 'create table birds (id integer); insert into birds values (1);')
})

afterEach(async () => {
  await pool.end()
  await database.drop()
  await rm(folder, { recursive: true })
})

const write = (name: string, sql: string) => writeFile(join(folder, name), sql)

const run = () => migrate(database.connection, log, folder)

test('migrations are applied once, in the order of their names', async () => {
  await write('20260102T0000-nests.sql', 'create table nests (id integer); insert into birds values (2);')
  await run()
  await run()
  expect((await pool.query('SELECT id FROM birds ORDER BY id')).rows).toEqual([{ id: 1 }, { id: 2 }])
})

test('servers that start at the same time wait for each other', async () => {
  await Promise.all([run(), run(), run()])
  expect((await pool.query('SELECT count(*)::int AS count FROM birds')).rows).toEqual([{ count: 1 }])
})

test('a migration that fails leaves nothing behind and is named with its line', async () => {
  await write('20260102T0000-nests.sql', 'create table nests (id integer);\n\ncreate table birds (id integer);')
  await expect(run()).rejects.toThrow(
    '20260102T0000-nests.sql failed and was rolled back: relation "birds" already exists',
  )
  await write('20260102T0000-nests.sql', 'create table nests (id integer);\n\nselect * from nowhere;')
  await expect(run()).rejects.toThrow('(line 3)')
  expect((await pool.query("SELECT to_regclass('nests') AS nests")).rows).toEqual([{ nests: null }])
})

test('an applied migration that changed is refused by name', async () => {
  await run()
  await write('20260101T0000-birds.sql', 'create table birds (id bigint);')
  await expect(run()).rejects.toThrow('The migration 20260101T0000-birds.sql was changed')
})

test('an applied migration whose file is missing is refused by name', async () => {
  await run()
  await rm(join(folder, '20260101T0000-birds.sql'))
  await expect(run()).rejects.toThrow('migrated by 20260101T0000-birds.sql, which this version')
})

test('the line endings of a checkout do not count as a change', async () => {
  await write('20260102T0000-nests.sql', 'create table nests (\nid integer);\n')
  await run()
  await write('20260102T0000-nests.sql', 'create table nests (\r\nid integer);\r\n')
  await run()
})

test('migrations that have not been applied are pending', async () => {
  await run()
  await write('20260102T0000-nests.sql', 'create table nests (id integer);')
  expect(await migrationState(pool, folder)).toEqual({ pending: ['20260102T0000-nests.sql'] })
  await run()
  expect(await migrationState(pool, folder)).toEqual({ pending: [] })
})

test('every migration is listed in landed.sum and has not changed since (npm run migrations)', async () => {
  const noted = (await readFile(join(migrationsFolder, 'landed.sum'), 'utf8')).trim().split('\n')
  expect((await readMigrations()).map(({ name, sha256 }) => `${name} ${sha256}`)).toEqual(noted)
})
