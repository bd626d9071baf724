import { join } from 'node:path'
import type { FreshDatabase } from '../database.ts'
import { runParley, startParley, urlOf } from '../operator.ts'
import { KEY } from '../server.ts'

/** Runs `npm run parley -- import-papercups` as an operator does. */
export function runImport(
  target: FreshDatabase,
  source: FreshDatabase | { url: string },
  folder: string,
  options: string[],
  env: Record<string, string> = {},
): Promise<{ code: unknown; output: string }> {
  const address = 'url' in source ? source.url : urlOf(source)
  return runParley('import-papercups', address, { ...settingsOf(target, folder), ...env }, options)
}

/** Starts it without waiting for its end. */
export function startImport(target: FreshDatabase, source: FreshDatabase, folder: string) {
  return startParley('import-papercups', urlOf(source), settingsOf(target, folder))
}

function settingsOf(target: FreshDatabase, folder: string): Record<string, string> {
  return { DATABASE_URL: urlOf(target), DATA_DIR: join(folder, 'data'), ...KEY }
}
