import { type DatabaseConnection, DummyDriver, type Kysely, Transaction } from 'kysely'
import { dialectOf, PipeliningConnection } from './driver.ts'
import type { Database } from './schema.ts'

/**
 * Runs work in one transaction. Statements are sent in order without waiting for the answer to the one before, unlike
 * in Kysely's own transactions: statements issued together take one round trip.
 * @param work may call `commit` once it has issued its last statement: the commit then travels with it
 */
export function transact<Result>(
  kysely: Kysely<Database>,
  work: (db: Transaction<Database>, commit: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  return kysely.transaction().execute((serial) =>
    serial.getExecutor().provideConnection((connection) => {
      if (!(connection instanceof PipeliningConnection)) throw new Error('The dialect does not pipeline.')
      return work(pipelined(serial, connection), () => connection.commit())
    }),
  )
}

/** For building queries inside the transaction, which has a connection already. */
const dialect = dialectOf(new DummyDriver())
const unused = { dialect, config: { dialect }, driver: dialect.createDriver() }

function pipelined(serial: Transaction<Database>, connection: DatabaseConnection): Transaction<Database> {
  const executor = serial
    .getExecutor()
    .withConnectionProvider({ provideConnection: (consumer) => consumer(connection) })
  return new Transaction({ ...unused, executor })
}
