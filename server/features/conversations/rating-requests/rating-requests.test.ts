import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { notifications } from '#contract/conversations/notifications.ts'
import { ratingRequests } from '#contract/conversations/rating-requests.ts'
import { ratings } from '#contract/conversations/ratings.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { inboxes } from '#contract/widget/inboxes.ts'
import { test as base, expect, refusalOf, statusOf } from '#tests/support/fixture.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { startConversation, startVisitor } from '#tests/support/world.ts'
import { askForRating } from './asking.ts'

const mail = await startMailServer()
afterAll(() => mail.close())

const linksIn = (html: string) => [...html.matchAll(/\/rate\?token=([\w-]+)&amp;score=(\d)/g)]

const test = base
  .extend('env', { scope: 'file' }, { SMTP_URL: mail.url, BASE_URL: 'https://chat.acme.test' })
  .extend('set', ({ as }) => (id: string, changes: BodyInput<typeof conversations.update>['conversation']) => {
    return as.ada(conversations.update, { params: { id }, body: { conversation: changes } })
  })
  /** A visitor with an address, whose question was answered. */
  .extend('startAnswered', ({ as, world, server }) => async (email: string | null = 'vera@customer.test') => {
    const visitor = await startVisitor(server, world.acme.id, email ? { name: 'Vera', email } : { name: 'Vera' })
    const { conversation_id } = await startConversation(server, visitor, 'Is it open?')
    await as.ben(messages.create, { body: { message: { conversation_id, body: 'Yes.' } } })
    return { ...visitor, conversation_id }
  })
  /** Closes it, and lets the planned time pass. Returns the number of mails that ask. */
  .extend('close', ({ server, world, set }) => async (conversation_id: string) => {
    const { data } = await set(conversation_id, { status: 'closed' })
    await expect.poll(() => planned(server, conversation_id)).toBe(1)
    const payload = { account_id: world.acme.id, conversation_id, closed_at: data.closed_at! }
    await askForRating.run(server.context, payload)
    return payload
  })
  .extend('asked', ({ server }) => async (recipient: string) => {
    const { rows } = await sql<{ html: string; headers: Record<string, string> }>`
      select html, headers from mails where kind = 'rating' and recipient = ${recipient}`.execute(server.context.db)
    return rows
  })
  /** The token of the mail that asks for a rating of a new closed conversation. */
  .extend('askFor', ({ startAnswered, close, asked }) => async (email: string) => {
    const started = await startAnswered(email)
    await close(started.conversation_id)
    const [letter] = await asked(email)
    return { ...started, token_of_mail: linksIn(letter!.html)[0]![1]! }
  })

async function planned(server: { context: { db: Parameters<ReturnType<typeof sql>['execute']>[0] } }, id: string) {
  const { rows } = await sql`select 1 from jobs.job where name = 'ratingRequests.ask'
    and data ->> 'conversation_id' = ${id} and start_after > now() + interval '50 minutes'`.execute(server.context.db)
  return rows.length
}

test.beforeAll(async ({ as, world }) => {
  const { data } = await as.ada(inboxes.primary)
  await as.ada(inboxes.update, { params: { id: data!.id }, body: { inbox: { rating_mail_hours: 1 } } })
  expect((await as.ben(inboxes.get, { params: { id: data!.id } })).data.rating_mail_hours).toBe(1)
  expect(world.acme.id).toBe(data!.account_id)
})

test('an hour after closing, a customer with an address is asked once by mail, with a link for each score', async ({
  server,
  startAnswered,
  close,
  asked,
}) => {
  const { conversation_id } = await startAnswered('once@customer.test')
  const payload = await close(conversation_id)
  await askForRating.run(server.context, payload)
  const letters = await asked('once@customer.test')
  expect(letters).toHaveLength(1)
  expect(linksIn(letters[0]!.html).map(([, , score]) => score)).toEqual(['5', '4', '3', '2', '1'])
  expect(letters[0]!.headers['List-Unsubscribe']).toContain('/api/unsubscribe/')
  const sent = await mail.receive('once@customer.test', ({ subject = '' }) => subject.startsWith('How was'))
  expect(sent.text).toContain('Great: https://chat.acme.test/rate?token=')
})

test('the link rates the conversation without signing in; the score can be changed for a day', async ({
  as,
  askFor,
}) => {
  const { conversation_id, token_of_mail: token } = await askFor('rates@customer.test')
  const before = await as.anybody(ratingRequests.get, { params: { token } })
  expect(before.data).toMatchObject({ is_open: false, score: null, comment: null })
  const answer = (rating: BodyInput<typeof ratingRequests.answer>['rating']) =>
    as.anybody(ratingRequests.answer, { params: { token }, body: { rating } })
  await answer({ score: 2 })
  await answer({ score: 4, comment: ' Kind. ' })
  const rating = await as.ben(ratings.get, { params: { id: conversation_id } })
  expect(rating.data).toMatchObject({ score: 4, comment: 'Kind.' })
  const after = await as.anybody(ratingRequests.get, { params: { token } })
  expect(after.data).toMatchObject({ score: 4, comment: 'Kind.' })
})

test('opening the link stores nothing, so that mail scanners rate nothing', async ({ as, askFor }) => {
  const { conversation_id, token_of_mail: token } = await askFor('scanned@customer.test')
  await as.anybody(ratingRequests.get, { params: { token } })
  expect((await as.ben(ratings.get, { params: { id: conversation_id } })).data).toBeNull()
})

test('a foreign, changed or expired link rates nothing', async ({ as, server, askFor }) => {
  const { token_of_mail: token } = await askFor('forged@customer.test')
  const text = Buffer.from(token, 'base64url').toString()
  const [account_id, , until, signature] = text.split('.')
  const other = Buffer.from(`${account_id}.${crypto.randomUUID()}.${until}.${signature}`).toString('base64url')
  const longer = Buffer.from(text.replace(until!, `${Number(until) + 1}`)).toString('base64url')
  for (const bad of [other, longer, 'x', token.slice(0, -4)]) {
    expect(await statusOf(as.anybody(ratingRequests.get, { params: { token: bad } }))).toBe(404)
    expect(
      await statusOf(as.anybody(ratingRequests.answer, { params: { token: bad }, body: { rating: { score: 1 } } })),
    ).toBe(404)
  }
  const { makeToken } = await import('./token.ts')
  const [, conversation_id] = text.split('.')
  const rated = { account_id: account_id!, conversation_id: conversation_id! }
  const expired = makeToken(server.context.config.secretKey!, rated, Date.now() - 1)
  expect(await statusOf(as.anybody(ratingRequests.get, { params: { token: expired } }))).toBe(404)
})

test('while the conversation is open again, the link says so and rates nothing', async ({ as, set, askFor }) => {
  const { conversation_id, token_of_mail: token } = await askFor('reopened@customer.test')
  await set(conversation_id, { status: 'open' })
  expect((await as.anybody(ratingRequests.get, { params: { token } })).data.is_open).toBe(true)
  const refused = await refusalOf(
    as.anybody(ratingRequests.answer, { params: { token }, body: { rating: { score: 5 } } }),
  )
  expect(refused.errors).toEqual({ score: ['requires a closed conversation'] })
  await set(conversation_id, { archived_at: new Date().toISOString() })
  expect(await statusOf(as.anybody(ratingRequests.get, { params: { token } }))).toBe(404)
})

test('nobody is asked twice in a month, by whatever conversation', async ({ startAnswered, close, asked }) => {
  const first = await startAnswered('often@customer.test')
  await close(first.conversation_id)
  const second = await startAnswered('often@customer.test')
  await close(second.conversation_id)
  expect(await asked('often@customer.test')).toHaveLength(1)
})

test('nobody is asked about a conversation that was opened again, rated, never answered, or is old', async ({
  as,
  server,
  world,
  set,
  startAnswered,
  close,
  asked,
}) => {
  const run = async (conversation_id: string, closed_at: string) =>
    askForRating.run(server.context, { account_id: world.acme.id, conversation_id, closed_at })
  const closeOnly = async (id: string) => (await set(id, { status: 'closed' })).data.closed_at!

  const opened = await startAnswered('again@customer.test')
  const at = await closeOnly(opened.conversation_id)
  await set(opened.conversation_id, { status: 'open' })
  await run(opened.conversation_id, at)

  const rated = await startAnswered('rated@customer.test')
  const ratedAt = await closeOnly(rated.conversation_id)
  await as.holder(rated.token)(ratings.rate, {
    params: { id: rated.conversation_id },
    body: { rating: { score: 3 } },
  })
  await run(rated.conversation_id, ratedAt)

  const silent = await startVisitor(server, world.acme.id, { name: 'Sil', email: 'silent@customer.test' })
  const unanswered = await startConversation(server, silent, 'Hello?')
  await run(unanswered.conversation_id, await closeOnly(unanswered.conversation_id))

  const old = await startAnswered('old@customer.test')
  const oldAt = await closeOnly(old.conversation_id)
  await sql`update messages set created_at = now() - interval '15 days'
            where conversation_id = ${old.conversation_id}`.execute(server.context.db)
  await run(old.conversation_id, oldAt)

  const nameless = await startAnswered(null)
  await close(nameless.conversation_id)

  for (const address of ['again', 'rated', 'silent', 'old']) {
    expect(await asked(`${address}@customer.test`), address).toEqual([])
  }
})

test('who unsubscribed by the link in the mail, or complained about our mail, is not asked again', async ({
  as,
  server,
  startAnswered,
  close,
  asked,
}) => {
  const address = 'leaves@customer.test'
  const first = await startAnswered(address)
  await close(first.conversation_id)
  const [letter] = await asked(address)
  const [, token = ''] = /unsubscribe\/([\w-]+)/.exec(letter!.headers['List-Unsubscribe']!) ?? []
  await as.anybody(notifications.unsubscribe, { params: { token } })
  // As if the month were over.
  await sql`delete from mails where recipient = ${address}`.execute(server.context.db)
  const second = await startConversation(server, first, 'And tomorrow?')
  await as.ben(messages.create, { body: { message: { conversation_id: second.conversation_id, body: 'Yes.' } } })
  await close(second.conversation_id)
  expect(await asked(address)).toEqual([])

  const other = await startAnswered('complains@customer.test')
  await sql`update customers set complained_at = now() where id = ${other.customer_id}`.execute(server.context.db)
  await close(other.conversation_id)
  expect(await asked('complains@customer.test')).toEqual([])
})

test('an inbox that does not ask plans nothing', async ({ as, server, startAnswered, set }) => {
  const primary_id = (await as.ada(inboxes.primary)).data!.id
  const { data: other } = await as.ada(inboxes.create, { body: { inbox: { name: 'Other' } } })
  const { conversation_id } = await startAnswered('never@customer.test')
  await set(conversation_id, { inbox_id: other.id })
  await set(conversation_id, { status: 'closed' })
  // Events are consumed in order: when the later one is planned, the earlier one was looked at.
  const later = await startAnswered('later@customer.test')
  await set(later.conversation_id, { status: 'closed' })
  await expect.poll(() => planned(server, later.conversation_id)).toBe(1)
  expect(await planned(server, conversation_id)).toBe(0)
  await as.ada(conversations.removeInbox, { params: { id: other.id }, query: { move_to: primary_id } })
})
