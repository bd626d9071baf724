import { join } from 'node:path'
import type pg from 'pg'
import type { FreshDatabase } from '../database.ts'
import { runParley, startParley, urlOf } from '../operator.ts'
import { KEY } from '../server.ts'
import { fillInboxes, fillPeople } from './company.ts'
import { fillContacts, fillConversations, fillMails, fillMessages, fillRecords } from './conversations.ts'

/** Runs `npm run parley -- import-chatwoot` as an operator does, from a database or from the path of a dump. */
export function runChatwoot(
  target: FreshDatabase,
  source: FreshDatabase | string,
  folder: string,
  options: string[] = [],
  env: Record<string, string> = {},
): Promise<{ code: unknown; output: string }> {
  const settings = { DATABASE_URL: urlOf(target), DATA_DIR: join(folder, 'data'), ...KEY, ...env }
  const address = typeof source === 'string' ? source : urlOf(source)
  return runParley('import-chatwoot', address, settings, options)
}

/** Starts it, for tests that end it. */
export function startChatwoot(target: FreshDatabase, source: FreshDatabase, folder: string, options: string[]) {
  const settings = { DATABASE_URL: urlOf(target), DATA_DIR: join(folder, 'data'), ...KEY }
  return startParley('import-chatwoot', urlOf(source), settings, 'ignore', options)
}

/** Fills a database of Chatwoot with a company's day, and with what real ones hold beside it. */
export async function fillCompany(client: pg.Client): Promise<void> {
  await fillPeople(client)
  await fillInboxes(client)
  await fillContacts(client)
  await fillConversations(client)
  await fillMessages(client)
  await fillMails(client)
  await fillRecords(client)
}
