import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bystandersMayChange, unannouncedChanges } from './support/bystanders/watched.ts'
import { type Watching, watchBystanders } from './support/bystanders/watching.ts'
import { type FreshDatabase, freshDatabase, WORLD } from './support/database.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { createWorld, type World } from './support/world.ts'

let database: FreshDatabase
let watching: Watching
let server: TestServer
let world: World

beforeAll(async () => {
  database = await freshDatabase(WORLD)
  watching = watchBystanders(database.connection)
  server = await startTestServer({}, undefined, database)
  world = await createWorld(server)
})
afterAll(async () => {
  await server.close()
  await watching.end()
  await database.drop()
})

/** The differences reported after a statement that a faulty function might run. */
async function noticed(statement: string): Promise<string> {
  await sql.raw(statement).execute(server.context.db)
  return unannouncedChanges(watching)
}

test('bystanders include everything that a company stores, in the test’s company and in another', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'bystanders' and column_name = 'account_id' and table_name <> 'differences'`.execute(
    server.context.db,
  )
  const missing = []
  for (const { name } of rows) {
    const { rows: copies } = await sql
      .raw<{ own: boolean }>(`select distinct account_id = '${world.acme.id}' as own from bystanders.${name}`)
      .execute(server.context.db)
    if (copies.length < 2) missing.push(name)
  }
  // Tables without rows: this world has no integrations, merges no conversations, and sends no mail with chosen recipients. Idempotency keys are deleted for a whole account at once, an
  // active template and the settings of assistants and models are those of a whole company, deliveries need a receiving program, and the other rows only come from
  // a sign-in service.
  expect(missing.sort()).toEqual([
    // Only an upgrade fills it.
    'archived_by_age',
    // A program has to ask for them.
    'assistant_grants',
    'assistant_settings',
    'authorization_credentials',
    'authorizations',
    'conversation_moves',
    // Kept where a rule is switched on, which would run for what tests do.
    'conversation_waits',
    'deliveries',
    'email_templates',
    'external_identities',
    'external_messages',
    'external_threads',
    // One for each company, which the tests of it change.
    'help_centers',
    'idempotent_requests',
    // Only an import fills it.
    'import_secrets',
    'inbound_events',
    'language_model_usage',
    'language_models',
    'mail_options',
    // Only a model translates.
    'message_translations',
    'moved_messages',
    // Nobody answers at the address of their device.
    'push_alerts',
    'rule_events',
    'rule_runs',
    'telegram_invitations',
    'user_identities',
    'webhook_attempts',
    'webhook_deliveries',
    'whatsapp_template_messages',
    'written_texts',
  ])
})

test('changed, removed and added bystanders are reported', async () => {
  expect(await unannouncedChanges(watching)).toBe('')
  expect(await noticed("update customers set phone = '1' where name = 'Nora Bystander'")).toContain('Nora Bystander')
  expect(await noticed("delete from customer_notes where body like 'Bystander%'")).toMatch(
    /customer_notes[\s\S]*\(nothing\)/,
  )
  const taken = await noticed(`
    insert into customer_tags (account_id, customer_id, tag_id)
    select account_id, '${world.carla.customer_id}', id from tags where account_id = '${world.acme.id}'`)
  expect(taken).toMatch(/^customer_tags\n {2}before \(nothing\)/)
  expect(await unannouncedChanges(watching)).toBe('')
})

test('announced changes are allowed, in that account and those tables only', async () => {
  bystandersMayChange({ account_id: world.acme.id, tables: ['customers'] })
  const acme = `account_id = '${world.acme.id}'`
  expect(await noticed(`update customers set phone = '2' where ${acme}`)).toBe('')
  expect(await noticed(`update customers set phone = '2' where not ${acme}`)).toContain('customers')
  expect(await noticed(`update messages set body = 'x' where ${acme}`)).toContain('messages')
})
