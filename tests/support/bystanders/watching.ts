import pg from 'pg'
import type { DatabaseAddress } from '../database.ts'
import { type Difference, type Watcher, watched } from './watched.ts'

export interface Watching extends Watcher {
  end(): Promise<void>
}

/** Compares the bystanders of a database, over a connection of its own that the first comparison opens. */
export function watchBystanders(connection: DatabaseAddress): Watching {
  let opened: Promise<pg.Client> | undefined
  const client = () => {
    opened ??= open(connection)
    return opened
  }
  const watcher: Watching = {
    async differences() {
      const connection = await client()
      const until = await oldestUnderway(connection)
      // A named statement, planned once for all tests of a file.
      const { rows } = await connection.query<Difference>({
        name: 'differences',
        text: 'SELECT * FROM bystanders.differences',
      })
      if (rows.length === 0) await compareSince(connection, until)
      return rows
    },
    async accept() {
      await (await client()).query('SELECT bystanders.accept()')
    },
    async end() {
      watched.delete(watcher)
      await (await opened)?.end()
    },
  }
  watched.add(watcher)
  return watcher
}

async function open(connection: DatabaseAddress): Promise<pg.Client> {
  const client = new pg.Client(connection)
  await client.connect()
  await client.query("SET lock_timeout = '10s'; SET jit = off")
  const { rows } = await client.query<{ since: string }>(
    'SELECT in_transaction::text AS since FROM bystanders.remembered',
  )
  await compareSince(client, rows[0]!.since)
  return client
}

/** The id of the oldest transaction that may still be open. */
async function oldestUnderway(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ until: string }>('SELECT pg_snapshot_xmin(pg_current_snapshot()) AS until')
  return rows[0]!.until
}

async function compareSince(client: pg.Client, transaction: string): Promise<void> {
  await client.query("SELECT set_config('bystanders.compared_until', $1, false)", [transaction])
}
