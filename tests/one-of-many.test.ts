import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { invitations } from '#contract/accounts/invitations.ts'
import { teams } from '#contract/accounts/teams.ts'
import { rules } from '#contract/conversations/rules.ts'
import { savedReplies } from '#contract/conversations/saved-replies.ts'
import { companies } from '#contract/customers/companies.ts'
import { customerImports } from '#contract/customers/customer-imports.ts'
import { customerNotes } from '#contract/customers/customer-notes.ts'
import { issues } from '#contract/customers/issues.ts'
import { tags } from '#contract/customers/tags.ts'
import { apiKeys } from '#contract/developers/api-keys.ts'
import { functions } from '#contract/developers/functions.ts'
import { eventSubscriptions } from '#contract/developers/webhooks.ts'
import { articles } from '#contract/help/articles.ts'
import { endpoints } from '#contract/index.ts'
import { browserSessions } from '#contract/widget/live-sessions.ts'
import { expect, test } from '#tests/support/fixture.ts'
import { startConversation } from './support/world.ts'

/** The table of the thing that a call returns by id. */
const TABLES: Record<string, string> = {
  '/api/article_revisions/:id': 'article_revisions',
  '/api/articles/:id': 'articles',
  '/api/browser_sessions/:id': 'browser_sessions',
  '/api/canned_responses/:id': 'saved_replies',
  '/api/companies/:id': 'companies',
  '/api/conversations/:id': 'conversations',
  '/api/customer_imports/:id': 'customer_imports',
  // The id of a merged customer returns the survivor.
  '/api/customers/:id': '(select * from customers where merged_into is null)',
  '/api/event_subscriptions/:id': 'event_subscriptions',
  '/api/forwarding_addresses/:id': 'forwarding_addresses',
  '/api/inboxes/:id': 'inboxes',
  '/api/issues/:id': 'issues',
  '/api/lambdas/:id': 'functions',
  '/api/mails/:id': 'mails',
  '/api/messages/:id': 'messages',
  '/api/notes/:id': 'customer_notes',
  '/api/personal_api_keys/:id': 'personal_api_keys',
  '/api/rules/:id': 'rules',
  '/api/tags/:id': 'tags',
  '/api/teams/:id': 'teams',
  '/api/user_invitations/:id': 'user_invitations',
  '/api/users/:id': 'users',
}

const byId = endpoints.filter(({ method, path }) => method === 'GET' && /^\/api\/\w+\/:id$/.test(path))

/** One more of each besides the bystanders', so that there are always two to mix up. */
test.beforeAll(async ({ as, world, server }) => {
  const { customer_id } = world.carla
  await as.ada(browserSessions.create, { body: { browser_session: { account_id: world.acme.id, customer_id } } })
  await startConversation(server, world.carla)
  await as.ada(savedReplies.create, { body: { canned_response: { name: 'second', content: 'Second' } } })
  await as.ada(companies.create, { body: { company: { name: 'Second' } } })
  await as.ada(customerImports.upload, { body: { content: 'email\nsecond@customer.test', filename: 'second.csv' } })
  const { data: article } = await as.ada(articles.create, {
    body: { article: { language: 'en', title: 'Second', body: 'Second' } },
  })
  await as.ada(articles.publish, { params: { id: article.id, language: 'en' }, body: {} })
  await as.ada(issues.create, { body: { issue: { title: 'Second' } } })
  await as.ada(functions.create, { body: { lambda: { name: 'Second' } } })
  const actions = [{ action: 'add_note' as const, body: 'Second' }]
  await as.ada(rules.create, { body: { rule: { name: 'Second', trigger: { on: 'customer_message' }, actions } } })
  await as.ada(customerNotes.create, { body: { note: { customer_id, body: 'Second' } } })
  await as.ada(tags.create, { body: { tag: { name: 'second' } } })
  await as.ada(teams.create, { body: { team: { name: 'second' } } })
  await as.ada(invitations.create)
  for (const label of ['first', 'second']) await as.ada(apiKeys.create, { body: { label } })
  for (const name of ['first', 'second']) {
    const event_subscription = { webhook_url: `https://${name}.example.com/hook` }
    await as.ada(eventSubscriptions.create, { body: { event_subscription } })
  }
  const forwarding_email_address = 'second@in.acme.test'
  const address = { account_id: world.acme.id, id: randomUUID(), source_email_address: 'second@acme.test' }
  await server.context.db
    .insertInto('forwarding_addresses')
    .values({ ...address, forwarding_email_address })
    .execute()
  const mail = { account_id: world.acme.id, id: randomUUID(), kind: 'reply', recipient: 'second@customer.test' }
  await server.context.db
    .insertInto('mails')
    .values({ ...mail, subject: 'Hi', text: 'Hi', html: 'Hi' })
    .execute()
})

test('every call that returns one thing by its id is tested here', () => {
  expect(byId.map(({ path }) => path).sort()).toEqual(Object.keys(TABLES).sort())
})

test.for(byId.map(({ path }) => path))(
  'GET %s returns the requested one among several',
  async (path, { world, server }) => {
    const { rows } = await sql<{ id: string | number }>`
    select id from ${sql.raw(TABLES[path]!)} mine where account_id = ${world.acme.id}`.execute(server.context.db)
    const answers = await Promise.all(
      rows.map(({ id }) => server.request('GET', path.replace(':id', String(id)), { token: world.ada.token })),
    )
    const answered = rows.map(({ id }, at) => ({ id, ...answers[at]! })).filter(({ status }) => status !== 404)
    expect(answered.map(({ body }) => body.data.id)).toEqual(answered.map(({ id }) => id))
    expect(answered.length).toBeGreaterThan(1)
  },
)
