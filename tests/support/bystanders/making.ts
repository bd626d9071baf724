import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeAt } from '#server/features/accounts/auth-sessions/totp.ts'
import { appsColumn } from '#server/features/connections/authorizations/apps.ts'
import { contextIn } from '#server/platform/crypto/encrypted-columns.ts'
import { hashToken } from '#server/platform/secrets.ts'
import type { Json, TestServer } from '../server.ts'
import { PASSWORD, type Person, register, renew } from '../world.ts'

/** Makes a call and returns its `data`; fails if it is refused, which is a fault of this file. */
type Call = (who: { token?: string }, method: string, path: string, body?: object | FormData) => Promise<Json>

interface Company {
  call: Call
  server: TestServer
  account_id: string
  /** Part of their e-mail addresses, which are unique in the installation. */
  label: string
  admin: Person
  bea: Person
  bob: Person
  inbox_id: string
}

/**
 * A company's people and things that no test means to change: a team, an inbox, customers and conversations in every
 * state, with all that belongs to them. Everything is created by public calls and has "Bystander" in its name.
 */
export async function makeBystanders(
  server: TestServer,
  label: string,
  admin: Person & { account_id: string },
): Promise<void> {
  const call = createCaller(server)
  const { account_id } = admin
  const bea = await join(server, call, admin, `bea@${label}.bystander.test`)
  const bob = await join(server, call, admin, `bob@${label}.bystander.test`)
  const { id: inbox_id } = await call(admin, 'POST', '/api/inboxes', { inbox: { name: 'Bystander inbox' } })
  const company: Company = { call, server, account_id, label, admin, bea, bob, inbox_id }
  await makeTeamThings(company)
  await makeArticles(company)
  const things = await makeSharedThings(company)
  await makeCustomers(company, things)
  await makeUntouched(company, things)
  await call(admin, 'POST', `/api/users/${bob.id}/disable`)
  await payForThem(company)
  await storeTheirMails(company)
  await leaveForConsent(company)
  await owedThem(company)
}

/** Makes one of their messages a received mail: without incoming mail there is no call for that. */
async function storeTheirMails({ server, account_id, label }: Company): Promise<void> {
  const { db } = server.context
  const address = { forwarding_email_address: `bystander-${label}@in.bystander.test`, source_email_address: 'a@b.test' }
  await db
    .insertInto('forwarding_addresses')
    .values({ account_id, id: randomUUID(), ...address })
    .execute()
  const { id: message_id, conversation_id } = await db
    .selectFrom('messages')
    .select(['id', 'conversation_id'])
    .where('account_id', '=', account_id)
    .where('body', '=', 'Bystander too')
    .executeTakeFirstOrThrow()
  const mail = { account_id, message_id, conversation_id, direction: 'in' as const, subject: 'Bystander' }
  await db.insertInto('message_mails').values(mail).execute()
  // Their inbox answers nothing first, so that no test meets the assistant by them.
  await db.insertInto('first_answers').values({ account_id, message_id, kind: 'handed_over' }).execute()
  await db
    .insertInto('mail_originals')
    .values({ account_id, message_id, key: `${account_id}/mail-bystander`, size: 1 })
    .execute()
}

/**
 * Gives a conversation of theirs a deadline of the past. Their policy is switched off, because an active one would apply
 * to conversations of the tests.
 */
async function owedThem({ call, server, account_id, admin }: Company): Promise<void> {
  const { db } = server.context
  const policy = { name: 'Bystander policy', is_active: false, first_reply_minutes: 60 }
  await call(admin, 'POST', '/api/deadline_policies', { policy })
  const attribute_definition = { subject: 'conversation', key: 'bystander', name: 'Bystander', kind: 'text' }
  await call(admin, 'POST', '/api/attribute_definitions', { attribute_definition })
  const { conversation_id } = await db
    .selectFrom('messages')
    .select('conversation_id')
    .where('account_id', '=', account_id)
    .where('body', '=', 'Bystander too')
    .executeTakeFirstOrThrow()
  const past = new Date(Date.now() - 60_000).toISOString()
  const deadline = { account_id, id: randomUUID(), conversation_id, kind: 'first_reply' as const, started_at: past }
  await db
    .insertInto('deadlines')
    .values({ ...deadline, done_at: past })
    .execute()
}

/** Puts somebody on a vendor's consent page: without a configured vendor there is no call for that. */
async function leaveForConsent({ server, account_id, label, bea }: Company): Promise<void> {
  const { db, keys } = server.context
  const { id: session_id } = await db
    .selectFrom('auth_sessions')
    .select('id')
    .where('account_id', '=', account_id)
    .where('user_id', '=', bea.id)
    .executeTakeFirstOrThrow()
  const expires_at = new Date(Date.now() + 86_400_000).toISOString()
  const start = { user_id: bea.id, session_id, integration: 'gmail', type: 'personal', expires_at }
  await db
    .insertInto('oauth_starts')
    .values({ account_id, state_hash: hashToken(`bystander ${label}`), ...start })
    .execute()
  const encrypted = keys.encrypt(contextIn(appsColumn, account_id, 'bystander'), '{}')
  const received = { repository: `bystander/${label}`, number: 1, state: 'open' as const, updated_at: expires_at }
  await db
    .insertInto('github_issues')
    .values({ account_id, ...received })
    .execute()
  await db.insertInto('integration_apps').values({ account_id, vendor: 'bystander', encrypted }).execute()
}

/** Gives them a past subscription: where no plans are sold there is no call for that. */
async function payForThem({ server, account_id, label }: Company): Promise<void> {
  const { db } = server.context
  await db
    .insertInto('billing_accounts')
    .values({ account_id, stripe_customer: `cus_bystander_${label}` })
    .execute()
  await db
    .insertInto('billing_events')
    .values({ account_id, id: `evt_bystander_${label}`, type: 'customer.updated' })
    .execute()
  await db.insertInto('plan_retention').values({ account_id }).execute()
}

function createCaller(server: TestServer): Call {
  return async ({ token }, method, path, body) => {
    if (body instanceof FormData) {
      const sent = await fetch(`${server.url}${path}`, { method, body, headers: { authorization: token ?? '' } })
      return ((await sent.json()) as Json).data
    }
    const answer = await server.request(method, path, { token, body })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
}

async function join(server: TestServer, call: Call, admin: Person, email: string): Promise<Person> {
  const invitation = await call(admin, 'POST', '/api/user_invitations')
  return renew(server, await register(server, undefined, email, invitation.id))
}

/** What belongs to one member of the team, or to signing in. */
async function makeTeamThings({ call, server, account_id, admin, bea, bob, inbox_id }: Company): Promise<void> {
  const quiet = { email_alert_on_new_message: false, email_alert_on_new_conversation: false, notify_about: [] }
  for (const who of [bea, bob]) {
    await call(who, 'PUT', '/api/profile', { user_profile: { display_name: 'Bystander', full_name: 'Bea Bystander' } })
    await call(who, 'PUT', '/api/user_settings', { user_settings: { ...quiet, email_alert_on_mention: false } })
  }
  // A device that wants nothing, because nobody answers at its address.
  await call(bea, 'PUT', '/api/push_settings', { push_settings: { about: [] } })
  const endpoint = `https://push.example.com/bystander/${account_id}`
  const subscription = { endpoint, keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) } }
  await call(bea, 'POST', '/api/push_devices', { device: { subscription } })
  await call(admin, 'POST', '/api/personal_api_keys', { label: 'Bystander key' })
  // A new key is shown once in the list, which changes it.
  await call(admin, 'GET', '/api/personal_api_keys')
  // An address that cannot be called.
  const event_subscription = { webhook_url: 'http://10.0.0.1/bystander' }
  await call(admin, 'POST', '/api/event_subscriptions', { event_subscription })
  const template = { subject: 'Bystander', body: '<p>Bystander</p>', color: '#123456' }
  await call(admin, 'PUT', '/api/email_templates/reply', { template })
  // An active template affects the whole company, so tests have to change it.
  await call(admin, 'DELETE', '/api/email_templates/reply')
  const lambda = { name: 'Bystander function', code: 'const handler = () => 1' }
  const { id: function_id } = await call(admin, 'POST', '/api/lambdas', { lambda })
  // Adds a run without starting a process for it.
  const run = { account_id, id: randomUUID(), function_id, event: 'message:created', state: 'succeeded' as const }
  await server.context.db.insertInto('function_runs').values(run).execute()
  // Off, because it would run for what tests do.
  const note = { action: 'add_note', body: 'Bystander' }
  const rule = { name: 'Bystander rule', trigger: { on: 'customer_message' }, actions: [note] }
  await call(admin, 'POST', '/api/rules', { rule })
  await call(bea, 'POST', '/api/macros', { macro: { name: 'Bystander macro', is_personal: true, actions: [note] } })
  await call(admin, 'POST', '/api/macros', { macro: { name: 'Bystander macro', content: 'Bystander' } })
  const view = { name: 'Bystander view', conditions: [[{ field: 'status', operator: 'is', values: ['open'] }]] }
  await call(bea, 'POST', '/api/conversation_views', { view })
  await call(admin, 'POST', '/api/conversation_views', { view: { ...view, is_personal: false } })
  const { secret } = await call(bea, 'POST', '/api/two_factor', { password: PASSWORD })
  await call(bea, 'PUT', '/api/two_factor', { code: codeAt(secret, Math.floor(Date.now() / 30_000)) })
  await call(bea, 'PUT', '/api/availability', { availability: { away: true } })
  const team = { name: 'Bystander team', members: [{ user_id: bea.id, open_limit: 3 }], inbox_ids: [inbox_id] }
  await call(admin, 'POST', '/api/teams', { team })
  const widget_settings = { inbox_id, title: 'Bystander widget', greeting: 'Bystander' }
  await call(admin, 'PUT', '/api/widget_settings', { widget_settings })
}

/** An article in a collection, with what readers leave. The help center itself is that of a whole company. */
async function makeArticles({ call, server, account_id, admin }: Company): Promise<void> {
  const { db } = server.context
  const texts = { en: { name: 'Bystander collection' } }
  const { id: collection_id } = await call(admin, 'POST', '/api/article_collections', { collection: { texts } })
  const article = { language: 'en', title: 'Bystander article', body: 'Bystander', collection_id }
  const { id: article_id } = await call(admin, 'POST', '/api/articles', { article })
  const path = `/api/articles/${article_id}/translations/en`
  await call(admin, 'POST', `${path}/publish`, {})
  const translation = { title: 'Bystander article', body: 'Bystander', slug: 'bystander' }
  await call(admin, 'PUT', path, { translation })
  await call(admin, 'POST', `${path}/publish`, {})
  const form = new FormData()
  form.append('file', new Blob(['Bystander'], { type: 'text/plain' }), 'bystander-article.txt')
  const file = await call(admin, 'POST', '/api/upload', form)
  const ofArticle = { account_id, article_id, language: 'en' }
  await db
    .insertInto('article_files')
    .values({ ...ofArticle, file_id: file.id, is_public: true })
    .execute()
  await db
    .insertInto('article_votes')
    .values({ ...ofArticle, reader: randomBytes(32), is_helpful: false, comment: 'Bystander' })
    .execute()
  await db
    .insertInto('article_reads')
    .values({ ...ofArticle, reader: randomBytes(32) })
    .execute()
  await db
    .insertInto('help_gaps')
    .values({ account_id, id: randomUUID(), kind: 'no_hits', language: 'en', words: 'bystander' })
    .execute()
}

/** Shared things of the team: a tag, an issue, a company, saved replies and lists. */
async function makeSharedThings({ call, bea }: Company) {
  const tag = await call(bea, 'POST', '/api/tags', { tag: { name: 'bystander' } })
  const issue = await call(bea, 'POST', '/api/issues', { issue: { title: 'Bystander issue', assignee_id: bea.id } })
  const company = await call(bea, 'POST', '/api/companies', { company: { name: 'Bystander works' } })
  await call(bea, 'POST', '/api/canned_responses', { canned_response: { name: 'bystander', content: 'Bystander' } })
  await call(bea, 'POST', '/api/customer_filters', {
    customer_filter: { name: 'Bystander', query: { q: 'bystander' } },
  })
  return { tag_id: tag.id as string, issue_id: issue.id as string, company_id: company.id as string }
}

type SharedThings = Awaited<ReturnType<typeof makeSharedThings>>

/** Customers of every kind: known, anonymous, proven, blocked, added by the team, imported, merged and erased. */
async function makeCustomers(company: Company, things: SharedThings): Promise<void> {
  const { call, admin, bea, inbox_id, label } = company
  const known = await visit(company, { name: 'Nora Bystander', email: `nora@${label}.bystander.test`, phone: '555' })
  const { secret } = await call(admin, 'POST', `/api/inboxes/${inbox_id}/identity_secrets`, {})
  const identity_token = sign(secret, { sub: `bystander-${label}`, name: 'Proven Bystander' })
  const proven = await visit(company, {}, identity_token)
  const anonymous = await visit(company)
  const blocked = await visit(company, { name: 'Blocked Bystander' })
  const twin = await visit(company, { name: 'Twin Bystander' })
  const erased = await visit(company, { name: 'Erased Bystander' })
  const path = `/api/customers/${known.customer_id}`

  await call(bea, 'PUT', path, { customer: { company_id: things.company_id, metadata: { plan: 'bystander' } } })
  await call(known, 'PUT', `${path}/metadata`, { metadata: { current_url: 'https://bystander.test/' } })
  await talk(company, known, things.tag_id)
  await call(known, 'PUT', `${path}/metadata`, { metadata: { current_url: 'https://bystander.test/next' } })
  for (const visitor of [known, proven, twin]) await mark(company, visitor.customer_id, things)
  for (const visitor of [proven, anonymous, twin]) await write(company, visitor, 'Bystander here')
  await call(bea, 'POST', `${path}/merge`, { customer_id: twin.customer_id })
  await call(bea, 'POST', `/api/customers/${blocked.customer_id}/block`)
  await call(admin, 'DELETE', `/api/customers/${erased.customer_id}`)
  await call(bea, 'POST', '/api/customers', { customer: { name: 'Typed Bystander', external_id: `bystander-typed` } })
  await importCustomer(company)
}

/** Puts a tag, an issue and a note on a customer. */
async function mark({ call, bea }: Company, customer_id: string, { tag_id, issue_id }: SharedThings): Promise<void> {
  await call(bea, 'POST', `/api/customers/${customer_id}/tags`, { tag_id })
  await call(bea, 'POST', `/api/customers/${customer_id}/issues`, { issue_id })
  await call(bea, 'POST', '/api/notes', { note: { customer_id, body: 'Bystander note' } })
}

/**
 * Created last, and touched by nothing since: a fault that changes too much while the others are created would
 * otherwise leave nothing for tests to notice.
 */
async function makeUntouched(company: Company, things: SharedThings): Promise<void> {
  const { call, admin, bea, bob, label } = company
  await call(bea, 'POST', '/api/reset_password', { email: bea.email })
  await call(admin, 'POST', '/api/user_invitations')
  await call(bea, 'POST', '/api/customers/import', { content: 'name\nWaiting Bystander\n', filename: 'bystander.csv' })
  const late = await visit(company, { name: 'Late Bystander', email: `late@${label}.bystander.test` })
  await mark(company, late.customer_id, things)
  const browser_session = {
    account_id: company.account_id,
    customer_id: late.customer_id,
    metadata: { lib: 'Bystander' },
  }
  const { id } = await call({}, 'POST', '/api/browser_sessions', { browser_session })
  // Without a recorder it would be finished sooner or later.
  await call({}, 'POST', `/api/browser_sessions/${id}/finish`, {})
  const conversation_id = await write(company, late, 'Bystander too')
  const note = { conversation_id, body: 'Bystander look', private: true, type: 'note', mentioned_user_ids: [bea.id] }
  await call(bob, 'POST', '/api/messages', { message: note })
}

interface Visitor {
  token: string
  customer_id: string
}

async function visit(company: Company, customer: object = {}, identity_token?: string): Promise<Visitor> {
  const { call, account_id, inbox_id } = company
  const token = randomBytes(32).toString('base64url')
  const visitor_session = { account_id, inbox_id, token, customer_id: randomUUID(), customer, identity_token }
  const { customer_id } = await call({}, 'POST', '/api/visitor_sessions', { visitor_session })
  return { token, customer_id }
}

async function write({ call, inbox_id }: Company, visitor: Visitor, body: string): Promise<string> {
  const { id } = await call(visitor, 'POST', '/api/conversations', { conversation: { inbox_id } })
  await call(visitor, 'POST', '/api/messages', { message: { conversation_id: id, body } })
  return id
}

/** Conversations of every kind: waiting, closed and rated, snoozed, archived; with notes, files, a draft and a link. */
async function talk(company: Company, visitor: Visitor, tag_id: string): Promise<void> {
  const { call, bea, bob } = company
  const change = (id: string, conversation: object) => call(bea, 'PUT', `/api/conversations/${id}`, { conversation })
  const answer = (conversation_id: string, message: object, who = bea) =>
    call(who, 'POST', '/api/messages', { message: { conversation_id, ...message } })

  const waiting = await write(company, visitor, 'Bystander waiting')
  await answer(waiting, { body: 'Bystander answer', file_ids: [await upload(company, bea)] })
  await answer(waiting, { body: 'Bystander note', private: true, type: 'note', mentioned_user_ids: [bea.id] }, bob)
  await call(visitor, 'POST', '/api/messages', { message: { conversation_id: waiting, body: 'Bystander again' } })
  await call(bea, 'POST', `/api/conversations/${waiting}/tags`, { tag_id })
  await call(bea, 'POST', `/api/conversations/${waiting}/share`)
  const draft = { body: 'Bystander draft', type: 'reply', mentioned_user_ids: [bob.id], revision: 1 }
  await call(bea, 'PUT', `/api/conversations/${waiting}/draft`, { draft })
  await upload(company, bea)

  const closed = await write(company, visitor, 'Bystander done')
  await change(closed, { status: 'closed', assignee_id: bea.id, subject: 'Bystander subject' })
  await call(visitor, 'POST', `/api/conversations/${closed}/rating`, { rating: { score: 3, comment: 'Bystander' } })
  const later = new Date(Date.now() + 5 * 86_400_000).toISOString()
  const scheduled_message = { conversation_id: waiting, body: 'Bystander later', send_at: later }
  await call(bea, 'POST', '/api/scheduled_messages', { scheduled_message })
  await change(await write(company, visitor, 'Bystander later'), { snoozed: { until: later } })
  await change(await write(company, visitor, 'Bystander past'), { archived_at: new Date().toISOString() })
}

async function upload({ call }: Company, who: Person): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob(['Bystander']), 'bystander.txt')
  return (await call(who, 'POST', '/api/upload', form)).id
}

async function importCustomer({ call, bea, label }: Company): Promise<void> {
  const content = `name,email\nImported Bystander,imported@${label}.bystander.test\n`
  const { id } = await call(bea, 'POST', '/api/customers/import', { content, filename: 'bystanders.csv' })
  await call(bea, 'POST', `/api/customer_imports/${id}/start`, { mapping: ['name', 'email'] })
  for (let i = 0; i < 500; i++) {
    if ((await call(bea, 'GET', `/api/customer_imports/${id}`)).status === 'done') return
    await sleep(20)
  }
  throw new Error('The import of bystanders did not end.')
}

function sign(secret: string, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ exp: Math.floor(Date.now() / 1000) + 60, ...claims })}`
  return `${unsigned}.${createHmac('sha256', secret).update(unsigned).digest('base64url')}`
}
