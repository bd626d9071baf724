import { OperatorError } from '#server/platform/operator-error.ts'
import { openDatabase } from './database-source.ts'
import { openDumpSource } from './dump-source.ts'
import type { ApiOptions, Reader } from './reader.ts'
import type { Source } from './source.ts'

/** `ecto://` is how Papercups' own settings call the protocol. */
const DATABASE = /^(postgres|postgresql|ecto):\/\//
const WEBSITE = /^https?:\/\//

/**
 * The source that an operator names: the address of a live database or of the product's API, or a file of `pg_dump`.
 * @throws OperatorError if it cannot be reached, or the product has no API that could be read
 */
export async function openSource(address: string, reader: Reader, options: ApiOptions): Promise<Source> {
  if (DATABASE.test(address)) return openDatabase(address.replace(/^ecto:/, 'postgres:'), reader.name)
  if (WEBSITE.test(address)) {
    if (reader.openApi) return reader.openApi(address, options)
    throw new OperatorError(`${reader.name} is moved from its database or a dump of it, not from a website.`)
  }
  return openDumpSource(address)
}
