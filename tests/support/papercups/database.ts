import { pbkdf2Sync } from 'node:crypto'
import pg from 'pg'
import { TABLES } from '../../../bin/transfer/papercups/tables.ts'
import { type FreshDatabase, freshDatabase } from '../database.ts'

/** Tables that are only counted. */
const OTHERS = ['slack_authorizations', 'browser_sessions', 'conversation_issues']

/**
 * A database with the tables of Papercups, empty, and nothing checked: real ones hold rows that point nowhere.
 * @param without columns that an older version lacks, as `table.column`, or whole tables
 */
export async function createPapercups(without: string[] = []): Promise<FreshDatabase> {
  const database = await freshDatabase('template0')
  await createTables(database, without)
  return database
}

async function createTables(database: FreshDatabase, without: string[] = []): Promise<void> {
  await withClient(database, async (client) => {
    for (const [table, columns] of Object.entries(TABLES)) {
      if (without.includes(table)) continue
      const definitions = Object.entries(columns)
        .filter(([column]) => !without.includes(`${table}.${column}`))
        .map(([column, type]) => `"${column}" ${type === 'timestamp' ? 'timestamp(0)' : type}`)
      await client.query(`create table "${table}" (${definitions.join(', ')})`)
    }
    for (const table of OTHERS) await client.query(`create table ${table} (id uuid, access_token text)`)
  })
}

/** A database that knows no encoding, as clusters of the locale C have them, and in it one of Papercups. */
export async function createAsciiPapercups(): Promise<FreshDatabase> {
  const beside = await freshDatabase('template0')
  const database = `${beside.connection.database}_ascii`
  await withClient(beside, (client) =>
    client.query(`create database ${database} template template0 encoding 'SQL_ASCII' locale 'C'`),
  )
  const ascii = { ...beside, connection: { ...beside.connection, database } }
  await createTables(ascii)
  return {
    ...ascii,
    async drop() {
      await withClient(beside, (client) => client.query(`drop database ${database} with (force)`))
      await beside.drop()
    },
  }
}

export async function withClient<Result>(database: FreshDatabase, work: (client: pg.Client) => Promise<Result>) {
  const client = new pg.Client(database.connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

type Value = string | number | boolean | null | object

/** Writes rows; each begins its life at `2022-03-01 10:00`, unless it says otherwise. */
export function insertInto(client: pg.Client) {
  return async (table: string, ...rows: Record<string, Value>[]) => {
    for (const row of rows) {
      const timed: Record<string, Value> =
        TABLES[table]?.inserted_at && !('inserted_at' in row)
          ? { inserted_at: '2022-03-01 10:00:00', updated_at: '2022-03-01 10:00:00', ...row }
          : row
      if ('inserted_at' in timed && !('updated_at' in timed)) timed.updated_at = timed.inserted_at as Value
      const names = Object.keys(timed)
      const marks = names.map((name, n) =>
        TABLES[table]?.[name] === 'jsonb[]' ? `$${n + 1}::text[]::jsonb[]` : `$${n + 1}`,
      )
      await client.query(
        `insert into "${table}" (${names.map((name) => `"${name}"`).join(', ')}) values (${marks.join(', ')})`,
        names.map((name) => encode(timed[name]!, TABLES[table]?.[name])),
      )
    }
  }
}

function encode(value: Value, type: string | undefined): unknown {
  if (type === 'jsonb') return value === null ? null : JSON.stringify(value)
  return value
}

/** As Pow hashed passwords, with fewer rounds, so that tests are fast. */
export function papercupsHash(password: string, rounds = 1_000): string {
  const salt = Buffer.from('sixteen bytes!!!')
  const key = pbkdf2Sync(password, salt, rounds, 64, 'sha512')
  return `$pbkdf2-sha512$${rounds}$${salt.toString('base64')}$${key.toString('base64')}`
}
