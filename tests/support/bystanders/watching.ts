import pg from 'pg'
import type { DatabaseAddress } from '../database.ts'
import { type Difference, type Watcher, watched } from './watched.ts'

export interface Watching extends Watcher {
  end(): Promise<void>
}

/** Looks after the bystanders of a database from its first comparison on, by one connection of its own. */
export function watchBystanders(connection: DatabaseAddress): Watching {
  let opened: Promise<pg.Client> | undefined
  const client = () => {
    opened ??= open(connection)
    return opened
  }
  const watcher: Watching = {
    async differences() {
      // By name: planned once for all tests of a file.
      const { rows } = await (await client()).query<Difference>({
        name: 'differences',
        text: 'SELECT * FROM bystanders.differences',
      })
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
  return client
}
