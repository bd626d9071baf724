import { openDatabase } from './database-source.ts'
import { openDumpSource } from './dump-source.ts'
import type { Source } from './source.ts'

/** `ecto://` is how Papercups' own settings call the protocol. */
const DATABASE = /^(postgres|postgresql|ecto):\/\//

/**
 * The source that an operator names: the address of a live database, or a file of `pg_dump`.
 * @throws OperatorError if the database cannot be reached
 */
export async function openSource(address: string, product: string): Promise<Source> {
  if (DATABASE.test(address)) return openDatabase(address.replace(/^ecto:/, 'postgres:'), product)
  return openDumpSource(address)
}
