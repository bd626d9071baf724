import { randomUUID } from 'node:crypto'
import { afterAll } from 'vitest'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { conversationForwarding, FORWARDED_PER_HOUR } from '#contract/mail/conversation-forwarding.ts'
import { emailTemplates } from '#contract/mail/email-templates.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import type { TestServer } from '#tests/support/server.ts'
import { startConversation, type World } from '#tests/support/world.ts'

const smtp = await startMailServer()
afterAll(() => smtp.close())
const test = base.extend('env', { scope: 'file' }, { SMTP_URL: smtp.url, RATE_LIMITS: 'on' })
test.beforeEach(async ({ server, world }) => {
  const email_verified_at = new Date().toISOString()
  await server.context.db.updateTable('users').set({ email_verified_at }).where('id', '=', world.ada.id).execute()
})

/** A conversation with a question, a reply and a note. */
async function createConversation(server: TestServer, as: Callers, world: World) {
  const { conversation_id } = await startConversation(server, world.carla, 'Is the <b>oak</b> desk there?')
  const post = (body: string, more: object = {}) =>
    as.ben(messages.create, { body: { message: { id: randomUUID(), conversation_id, body, ...more } } })
  await post('It **is**.')
  await post('She haggles.', { private: true })
  return conversation_id
}
const forward = (as: Callers, id: string, more: object) =>
  as.ben(conversationForwarding.forward, { params: { id }, body: { forward: { to: 'carpenter@wood.test', ...more } } })

test('a conversation is forwarded by mail without its notes, once for repeated calls, and a note records it', async ({
  as,
  server,
  world,
}) => {
  const conversation_id = await createConversation(server, as, world)
  const before = (await as.ben(conversations.get, { params: { id: conversation_id } })).data
  const key = randomUUID()
  for (let i = 0; i < 2; i++) await forward(as, conversation_id, { key, note: 'Can you make one by Friday?' })
  const mail = await smtp.receive('carpenter@wood.test')
  expect(mail.text).toContain('Can you make one by Friday?')
  expect(mail.text).toContain('> Is the <b>oak</b> desk there?')
  expect(mail.text).toContain('> It is.')
  expect(mail.html).toContain('Is the &lt;b&gt;oak&lt;/b&gt; desk there?')
  expect(mail.html).toContain('It <strong>is</strong>.')
  expect(mail.text).not.toContain('haggles')
  expect(mail.replyTo).toMatchObject([{ address: world.ben.email }])
  const { data } = await as.ben(conversations.get, { params: { id: conversation_id } })
  expect(data.messages.at(-1)).toMatchObject({ private: true, type: 'bot' })
  expect(data.messages.at(-1)!.body).toMatch(/^Forwarded by mail to carpenter@wood\.test\.\n\nCan you/)
  expect(data.messages).toHaveLength(before.messages.length + 1)
  expect(data).toMatchObject({ status: before.status, read: before.read })
  expect(smtp.envelopes.filter(({ to }) => to.includes('carpenter@wood.test'))).toHaveLength(1)
})

test('a forwarded conversation is worded by the company’s own template', async ({ as, server, world }) => {
  const conversation_id = await createConversation(server, as, world)
  const template = {
    subject: 'From {{ company.name }}',
    body: '<p>{{ agent.name }}</p>{% for message in messages %}<p>{{ message.text }}</p><i>{{ message.text | text_to_html }}</i>{% endfor %}',
    color: '#123456',
  }
  await as.ada(emailTemplates.save, { params: { kind: 'transcript' }, body: { template } })
  await forward(as, conversation_id, { to: 'own@wood.test' })
  const mail = await smtp.receive('own@wood.test')
  expect(mail.subject).toMatch(/^From /)
  expect(mail.html).toContain('<p>It is.</p><i>It <strong>is</strong>.</i>')
  await as.ada(emailTemplates.reset, { params: { kind: 'transcript' } })
})

test('only the account’s own team forwards its conversations, and only to valid addresses', async ({
  as,
  server,
  world,
}) => {
  const id = await createConversation(server, as, world)
  const body = { forward: { to: 'carpenter@wood.test' } }
  await expect(as.olga(conversationForwarding.forward, { params: { id }, body })).rejects.toMatchObject({ status: 404 })
  await expect(forward(as, id, { to: 'carpenter, and others' })).rejects.toMatchObject({ status: 422 })
  const { status } = await server.request('POST', `/api/conversations/${id}/forward`, { body })
  expect(status).toBe(401)
})

test('an account can forward a limited number of conversations per hour', async ({ as, server, world }) => {
  const id = await createConversation(server, as, world)
  const outcomes = []
  for (let i = 0; i <= FORWARDED_PER_HOUR; i++) {
    outcomes.push(
      await forward(as, id, {}).then(
        () => 202,
        ({ status }) => status,
      ),
    )
  }
  expect(outcomes).toContain(202)
  expect(outcomes.at(-1)).toBe(429)
})
