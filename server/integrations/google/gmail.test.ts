import { afterAll, vi } from 'vitest'
import { deliveries } from '#contract/connections/deliveries.ts'
import { integrations } from '#contract/connections/integrations.ts'
import { oauth } from '#contract/connections/oauth.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { google as calls } from '#contract/integrations/google.ts'
import { pollAll } from '#server/features/connections/authorizations/polling.ts'
import { GMAIL_ADDRESS, startGoogle } from '#tests/emulators/google.ts'
import { plainMail } from '#tests/emulators/imap-server.ts'
import { test as base, type Caller, type Callers, expect } from '#tests/support/fixture.ts'
import { sendNow, tryAgainNow } from '#tests/support/pass-time.ts'
import type { TestServer } from '#tests/support/server.ts'

const google = await startGoogle()
const test = base.extend('env', { scope: 'file' }, google.settings)
afterAll(() => google.close())

const TIMEOUT = { timeout: 40_000, interval: 100 }

test.afterEach(async ({ as }) => {
  for (const { id } of (await as.ada(integrations.list)).data) {
    await as.ada(integrations.remove, { params: { id }, query: { discard: 'true' } })
  }
  google.setLifetime(3600)
})

async function connect(call: Caller, inbox_id: string | null, type: 'support' | 'personal' = 'support') {
  const { data: begun } = await call(oauth.start, { body: { integration: 'gmail', inbox_id, type } })
  const body = { state: begun.state, code: google.consent('gmail', begun.url) }
  return { url: new URL(begun.url), id: (await call(oauth.finish, { body })).data.id! }
}

const poll = async ({ context }: TestServer) => pollAll(context)
const write = (subject: string, text: string, more: { labels?: string[]; answers?: string; id?: string } = {}) => {
  const { labels, ...rest } = more
  const from = `Nora <${subject.replace(/^Re: /, '').replaceAll(' ', '.').toLowerCase()}@customer.test>`
  return google.receive(plainMail({ from, subject, text, ...rest }), labels)
}
const about = async (as: Callers, subject: string) =>
  (await as.ben(conversations.list, { query: { limit: 50 } as never })).data.filter(
    (conversation) => conversation.subject === subject,
  )
async function thread(as: Callers, subject: string) {
  const [conversation] = await about(as, subject)
  if (!conversation) return []
  const { data } = await as.ben(messages.list, { query: { conversation_id: conversation.id } as never })
  return data.toReversed()
}

test('the mailbox of an inbox is connected by consent with PKCE, and old clients find it as they know it', async ({
  as,
  world,
}) => {
  const nothing = { query: { client: 'gmail' as const, type: 'support', inbox_id: world.billing.id } }
  expect((await as.ben(calls.get, nothing)).data).toBeNull()
  expect(await as.ben(calls.profile)).toEqual({ ok: false, data: null })
  await expect(as.ben(calls.send, { body: { to: 'a@b.test' } })).rejects.toMatchObject({
    status: 403,
    message: 'Authorization required',
  })
  const { url, id } = await connect(as.ada, world.billing.id)
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    scope: 'https://www.googleapis.com/auth/gmail.modify',
    access_type: 'offline',
    prompt: 'consent',
    code_challenge_method: 'S256',
    redirect_uri: 'http://localhost:0/integrations/google',
  })
  expect((await as.ben(calls.get, nothing)).data).toMatchObject({ id, inbox_id: world.billing.id, sheets: null })
  const billing = { query: { inbox_id: world.billing.id } }
  expect(await as.ben(calls.profile, billing)).toEqual({ ok: true, data: { email: GMAIL_ADDRESS } })
  expect(await as.ben(calls.profile), 'of the primary inbox').toEqual({ ok: false, data: null })
  await expect(as.ben(calls.remove, { params: { id } })).rejects.toMatchObject({ status: 403 })
  await expect(as.olga(calls.remove, { params: { id } })).rejects.toMatchObject({ status: 404 })
  await as.ada(calls.remove, { params: { id } })
})

test('the address to which published dashboards send the browser leads to Google, or to the page that says what is missing', async ({
  server,
}) => {
  const open = async (query: string) => {
    const { status, headers } = await server.request('GET', `/google/auth?${query}`)
    expect(status).toBe(302)
    return new URL(String(headers.location))
  }
  const consent = await open('client=gmail&type=support&inbox_id=0b0e1a4c-3d6c-4f0a-8b1e-7c9f5a2d4e61')
  expect(consent.searchParams.get('scope')).toBe('https://www.googleapis.com/auth/gmail.modify')
  expect(consent.searchParams.get('state')).toBe('support:0b0e1a4c-3d6c-4f0a-8b1e-7c9f5a2d4e61')
  expect((await open('client=sheets')).searchParams.get('state')).toBe('sheets')
  expect((await open('client=nonsense')).pathname).toBe('/integrations/google')
})

test('a client with its own state gets the expected page, and connects with the code', async ({ as, world }) => {
  const query = { client: 'gmail' as const, type: 'support', inbox_id: world.billing.id }
  const { data } = await as.ada(calls.auth, { query })
  const page = new URL(data.url).searchParams
  expect([page.get('state'), page.get('code_challenge')]).toEqual([`support:${world.billing.id}`, null])
  await expect(as.ben(calls.auth, { query })).rejects.toMatchObject({ status: 403 })
  const scope = 'https://www.googleapis.com/auth/gmail.modify'
  const back = { code: google.consent('gmail'), state: 'support', scope, inbox_id: world.billing.id }
  expect((await as.ada(calls.oauth, { query: back })).data).toEqual({ ok: true })
  await expect(as.ada(calls.oauth, { query: back })).rejects.toMatchObject({ status: 401 })
  expect((await as.ada(integrations.list)).data).toMatchObject([{ label: GMAIL_ADDRESS, inbox_id: world.billing.id }])
  expect(await as.anybody(calls.subscribe, { params: { name: 'news' } })).toMatchObject({ ok: false })
})

test('missing permissions are noticed at once', async ({ as, world }) => {
  const { data: begun } = await as.ada(oauth.start, { body: { integration: 'gmail', inbox_id: world.billing.id } })
  const body = { state: begun.state, code: google.consent('sheets', begun.url) }
  await expect(as.ada(oauth.finish, { body })).rejects.toThrow('Start again and tick all boxes.')
  expect((await as.ada(integrations.list)).data).toEqual([])
})

test('incoming mail becomes a conversation, a reply is sent in its thread, and its copy changes nothing', async ({
  as,
  server,
  world,
}) => {
  await write('Before', 'was there before it was connected')
  const { id } = await connect(as.ada, world.billing.id)
  const { threadId } = await write('Hello', 'Is the oak desk still there?', { id: 'hello' })
  await write('Bargain', 'Buy now', { labels: ['INBOX', 'CATEGORY_PROMOTIONS'] })
  await write('Spam', 'Buy now', { labels: ['SPAM'] })
  await write('Friends', 'Somebody likes you', { labels: ['INBOX', 'CATEGORY_SOCIAL'] })
  await poll(server)
  await vi.waitFor(async () => {
    expect(await about(as, 'Hello')).toMatchObject([{ source: 'email', inbox_id: world.billing.id }])
  }, TIMEOUT)
  const [question] = await thread(as, 'Hello')
  expect(question!.metadata).toMatchObject({ gmail_thread_id: threadId, gmail_label_ids: ['INBOX', 'UNREAD'] })
  for (const subject of ['Before', 'Bargain', 'Spam', 'Friends']) expect(await about(as, subject)).toEqual([])

  const message = { conversation_id: question!.conversation_id, body: 'It is, until Friday.' }
  google.fail('POST /gmail', { status: 500 })
  await sendNow(server, (await as.ben(messages.create, { body: { message } })).data.id)
  await tryAgainNow(server)
  await vi.waitFor(() => expect(google.sent).toHaveLength(1), TIMEOUT)
  const [{ raw, threadId: into }] = google.sent as [(typeof google.sent)[0]]
  expect(into).toBe(threadId)
  expect(raw).toMatch(/^From: .*<support@acme\.test>/m)
  expect(raw).toMatch(/^To: hello@customer\.test/m)
  expect(raw).toMatch(/^Subject: Re: Hello/m)
  expect(raw).toMatch(/^In-Reply-To: <hello@customer\.test>/m)
  expect(raw).not.toMatch(/^Reply-To:/m)
  expect(raw).toContain('It is, until Friday.')
  await vi.waitFor(async () => {
    const { data } = await as.ada(deliveries.list, { query: { authorization_id: id } })
    expect(data).toMatchObject([{ state: 'sent' }])
  }, TIMEOUT)
  expect((await thread(as, 'Hello')).at(-1)!.metadata).toMatchObject({
    gmail_thread_id: threadId,
    gmail_subject: 'Re: Hello',
    gmail_from: GMAIL_ADDRESS,
    gmail_to: ['hello@customer.test'],
    gmail_in_reply_to: '<hello@customer.test>',
  })

  // The sent mail is in the mailbox, and is seen by the next poll.
  await poll(server)
  await write('Re: Hello', 'I take it.', { answers: '<hello@customer.test>' })
  await poll(server)
  await vi.waitFor(async () => expect(await thread(as, 'Hello')).toHaveLength(3), TIMEOUT)
  await poll(server)
  expect((await thread(as, 'Hello')).map(({ body }) => body)).toEqual([
    'Is the oak desk still there?',
    'It is, until Friday.',
    'I take it.',
  ])
  const { data } = await as.ben(calls.get, { query: { client: 'gmail', inbox_id: world.billing.id } })
  expect(Date.now() - Date.parse(data!.updated_at)).toBeLessThan(60_000)
})

test('a reply with an unknown outcome is searched for, and not sent twice', async ({ as, server, world }) => {
  await connect(as.ada, world.billing.id)
  await write('Twice', 'Hello?', { id: 'twice' })
  await poll(server)
  await vi.waitFor(async () => expect(await about(as, 'Twice')).toHaveLength(1), TIMEOUT)
  const before = google.sent.length
  google.lose('POST /gmail')
  const { id } = (await about(as, 'Twice'))[0]!
  const message = { conversation_id: id, body: 'Once' }
  await sendNow(server, (await as.ben(messages.create, { body: { message } })).data.id)
  await tryAgainNow(server)
  await vi.waitFor(async () => {
    const { data } = await as.ben(deliveries.ofConversation, { params: { conversation_id: id } })
    expect(data).toMatchObject([{ state: 'sent', tries: 2 }])
  }, TIMEOUT)
  expect(google.sent.length).toBe(before + 1)
})

test('if the history is too short, mails since the last poll are imported, once', async ({ as, server, world }) => {
  await connect(as.ada, world.billing.id)
  await write('Known', 'before', { id: 'known' })
  await poll(server)
  await vi.waitFor(async () => expect(await about(as, 'Known')).toHaveLength(1), TIMEOUT)
  await write('Missed', 'while nobody looked')
  google.forgetHistory()
  await poll(server)
  await vi.waitFor(async () => expect(await about(as, 'Missed')).toHaveLength(1), TIMEOUT)
  expect(await thread(as, 'Known')).toHaveLength(1)
})

test('a grant revoked at Google is broken; a rate limit only pauses it', async ({ as, server, world }) => {
  const { id } = await connect(as.ada, world.billing.id)
  google.fail('GET /gmail', {
    status: 403,
    body: { error: { code: 403, message: 'Rate', status: 'rateLimitExceeded' } },
  })
  await poll(server)
  const list = async () => (await as.ada(integrations.list)).data
  await vi.waitFor(async () => expect(await list()).toMatchObject([{ state: 'resting' }]), TIMEOUT)
  expect((await as.ada(integrations.test, { params: { id } })).data.state).not.toBe('resting')
  google.revokeAll()
  await poll(server)
  await vi.waitFor(async () => expect(await list()).toMatchObject([{ id, state: 'broken' }]), TIMEOUT)
  expect((await list())[0]!.problem).toContain('Google no longer accepts this connection. Connect it again.')
  expect((await connect(as.ada, world.billing.id)).id).toBe(id)
})

test('an expired token is refreshed and the request repeated, and server errors of Google are retried, for mails in and out', async ({
  as,
  server,
  world,
}) => {
  await connect(as.ada, world.billing.id)
  const renewals = () =>
    google.requestsTo('POST /token').filter(({ body }) => body.grant_type === 'refresh_token').length
  const [renewed, sent] = [renewals(), google.sent.length]
  const answer = async (conversation_id: string, body: string) =>
    sendNow(server, (await as.ben(messages.create, { body: { message: { conversation_id, body } } })).data.id)
  const isSent = (conversation_id: string) =>
    vi.waitFor(async () => {
      const { data } = await as.ben(deliveries.ofConversation, { params: { conversation_id } })
      expect(data).toMatchObject([{ state: 'sent' }])
    }, TIMEOUT)

  google.tokens.clear()
  await write('Renewed', 'With a new token', { id: 'renewed' })
  await poll(server)
  await vi.waitFor(async () => expect(await about(as, 'Renewed')).toHaveLength(1), TIMEOUT)
  expect(renewals()).toBe(renewed + 1)
  const renewedId = (await about(as, 'Renewed'))[0]!.id
  google.tokens.clear()
  await answer(renewedId, 'With another')
  await isSent(renewedId)
  expect([renewals(), google.sent.length]).toEqual([renewed + 2, sent + 1])

  google.fail('GET /gmail', { status: 500 })
  await write('Fault', 'After a fault', { id: 'fault' })
  await poll(server)
  const listConnections = async () => (await as.ada(integrations.list)).data
  const problem = 'Google returned an error (500). It will be retried automatically.'
  await vi.waitFor(async () => expect(await listConnections()).toMatchObject([{ state: 'failing', problem }]), TIMEOUT)
  await poll(server)
  await vi.waitFor(async () => expect(await about(as, 'Fault')).toHaveLength(1), TIMEOUT)
  google.fail('POST /gmail', { status: 500 })
  const faultId = (await about(as, 'Fault'))[0]!.id
  await answer(faultId, 'Once')
  await tryAgainNow(server)
  await isSent(faultId)
  expect(google.sent.slice(sent).filter(({ raw }) => raw.includes('Once'))).toHaveLength(1)
  await vi.waitFor(
    async () => expect(await listConnections()).toMatchObject([{ state: 'connected', problem: null }]),
    TIMEOUT,
  )
})

test('mails of a member are sent through their own mailbox, which is not read', async ({ as, server, world }) => {
  await connect(as.ada, world.billing.id)
  const own = await connect(as.ben, null, 'personal')
  expect((await as.ben(calls.get, { query: { client: 'gmail', type: 'personal' } })).data).toMatchObject({ id: own.id })
  expect((await as.ada(calls.get, { query: { client: 'gmail', type: 'personal' } })).data).toBeNull()
  await write('Personal', 'Who answers?', { id: 'personal' })
  await poll(server)
  await vi.waitFor(async () => expect(await about(as, 'Personal')).toHaveLength(1), TIMEOUT)
  const { id } = (await about(as, 'Personal'))[0]!
  const message = { conversation_id: id, body: 'I do' }
  await sendNow(server, (await as.ben(messages.create, { body: { message } })).data.id)
  await vi.waitFor(async () => {
    const { data } = await as.ben(deliveries.ofConversation, { params: { conversation_id: id } })
    expect(data).toMatchObject([{ state: 'sent', authorization_id: own.id }])
  }, TIMEOUT)
  expect(google.sent.at(-1)!.threadId, 'another mailbox has other threads').toBeUndefined()
  await as.ben(calls.remove, { params: { id: own.id } })
})

test('a reply with large files is sent as an upload, in its thread', async ({ as, server, world }) => {
  await connect(as.ada, world.billing.id)
  const { threadId } = await write('Large', 'Send me the plan', { id: 'large' })
  await poll(server)
  await vi.waitFor(async () => expect(await about(as, 'Large')).toHaveLength(1), TIMEOUT)
  const form = new FormData()
  form.set('account_id', world.acme.id)
  form.set('file', new Blob(['a plan\n'.repeat(700_000)], { type: 'text/plain' }), 'plan.txt')
  const headers = { authorization: world.ben.token }
  const uploaded = await fetch(`${server.url}/api/upload`, { method: 'POST', body: form, headers })
  const { data: file } = (await uploaded.json()) as { data: { id: string } }
  const { conversation_id } = (await thread(as, 'Large'))[0]!
  const message = { conversation_id, body: 'Here it is', file_ids: [file.id] }
  await sendNow(server, (await as.ben(messages.create, { body: { message } })).data.id)
  await vi.waitFor(() => expect(google.sent.at(-1)!.raw).toMatch(/^Subject: Re: Large/m), TIMEOUT)
  expect(google.sent.at(-1)).toMatchObject({ threadId, raw: expect.stringContaining('filename=plan.txt') })
  expect(google.requestsTo('POST /upload')).toHaveLength(1)
})

test('a reply written in Gmail joins its conversation and is not sent again', async ({ as, server, world }) => {
  await connect(as.ada, world.billing.id)
  await write('Elsewhere', 'Who answers?', { id: 'elsewhere' })
  await poll(server)
  await vi.waitFor(async () => expect(await about(as, 'Elsewhere')).toHaveLength(1), TIMEOUT)
  const answer = { from: `Support <${GMAIL_ADDRESS}>`, subject: 'Re: Elsewhere' }
  const raw = plainMail({ ...answer, text: 'I do, in Gmail.', answers: '<elsewhere@customer.test>' })
  await google.receive(raw, ['SENT'])
  await poll(server)
  await vi.waitFor(async () => expect(await thread(as, 'Elsewhere')).toHaveLength(2), TIMEOUT)
  const [, joined] = await thread(as, 'Elsewhere')
  expect(joined).toMatchObject({ body: 'I do, in Gmail.', user_id: world.ada.id, customer_id: null })
  const params = { conversation_id: joined!.conversation_id }
  expect((await as.ben(deliveries.ofConversation, { params })).data).toEqual([])
})

test('a program sends a mail from the mailbox of an inbox', async ({ as, world }) => {
  await connect(as.ada, world.billing.id)
  const body = { recipient: 'nora@shop.test', subject: 'News', message: 'All is well.', inbox_id: world.billing.id }
  expect(await as.ben(calls.send, { body })).toMatchObject({ ok: true, data: { id: expect.any(String) } })
  expect(google.sent.at(-1)!.raw).toMatch(/^To: nora@shop\.test/m)
  await expect(as.ben(calls.send, { body: { ...body, recipient: 'a@b, c@d' } })).rejects.toMatchObject({ status: 422 })
})
