import { join } from 'node:path'
import type { FreshDatabase } from '../database.ts'
import { runParley, urlOf } from '../operator.ts'
import { KEY } from '../server.ts'

/** Runs `npm run parley -- import-papercups` as an operator does. */
export function runImport(
  target: FreshDatabase,
  source: FreshDatabase | { url: string },
  folder: string,
  options: string[],
): Promise<{ code: unknown; output: string }> {
  const address = 'url' in source ? source.url : urlOf(source)
  const settings = { DATABASE_URL: urlOf(target), DATA_DIR: join(folder, 'data'), ...KEY }
  return runParley('import-papercups', address, settings, options)
}
