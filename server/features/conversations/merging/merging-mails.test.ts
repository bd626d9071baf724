import { afterAll } from 'vitest'
import { conversations } from '#contract/conversations/conversations.ts'
import { merging } from '#contract/conversations/merging.ts'
import { messages } from '#contract/conversations/messages.ts'
import { forwardingAddresses } from '#contract/mail/forwarding-addresses.ts'
import { replyAddress } from '#server/features/mail/conversation-mails/own-addresses.ts'
import { storeMail } from '#server/features/mail/forwarding-addresses/routing.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { allProcessed, RELAY_KEY, writeMail } from '#tests/support/incoming-mail.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { sendNow } from '#tests/support/pass-time.ts'

const smtp = await startMailServer()
afterAll(() => smtp.close())

const FROM = 'Dora <dora@webmail.test>'

const test = base
  .extend('env', { scope: 'file' }, { MAIL_IN_DOMAIN: 'in.acme.test', MAIL_IN_KEY: RELAY_KEY, SMTP_URL: smtp.url })
  .extend('receive', async ({ as, server }) => {
    const forwarding_address = { source_email_address: 'support@acme.test' }
    const { data: source } = await as.ada(forwardingAddresses.create, { body: { forwarding_address } })
    return async (text: string, headers: Record<string, string>, to = source.forwarding_email_address) => {
      await storeMail(server.context, {
        raw: Buffer.from(writeMail({ to: 'support@acme.test', text, from: FROM, headers })),
        recipients: [to],
        from: 'dora@webmail.test',
        proof: { result: 'pass', domain: 'webmail.test' },
      })
      await allProcessed(server)
    }
  })

test('mails to either of two merged conversations arrive in the one, and answers waiting in the other are sent', async ({
  as,
  server,
  receive,
}) => {
  await receive('Where is my lamp?', { Subject: 'Lamp', 'Message-ID': '<lamp@webmail.test>' })
  await receive('And my kettle?', { Subject: 'Kettle', 'Message-ID': '<kettle@webmail.test>' })
  const { data: list } = await as.ben(conversations.list, { query: { source: 'email' } })
  const [lamp, kettle] = ['Lamp', 'Kettle'].map(
    (subject) => list.find((conversation) => conversation.subject === subject)!.id,
  )
  const answer = { conversation_id: kettle!, body: 'The kettle comes tomorrow.' }
  const { data: waiting } = await as.ben(messages.create, { body: { message: answer } })
  await as.ben(merging.merge, { params: { id: kettle! }, body: { into_id: lamp! } })
  await sendNow(server, waiting.id)
  await expect.poll(() => smtp.mails.map(({ text }) => text)).toContainEqual(expect.stringContaining(answer.body))

  await receive('Thank you for the kettle', { Subject: 'Re: Kettle', 'In-Reply-To': '<kettle@webmail.test>' })
  await receive('Thank you for the lamp', { Subject: 'Re: Lamp', 'In-Reply-To': '<lamp@webmail.test>' })
  await receive('By the old address', { Subject: 'Re: Kettle' }, replyAddress(server.context.config, kettle!))
  const { data: thread } = await as.ben(messages.list, { query: { conversation_id: lamp! } })
  expect(thread.sort((a, b) => a.number - b.number).map(({ body }) => body)).toEqual([
    'Where is my lamp?',
    'And my kettle?',
    'The kettle comes tomorrow.',
    'Thank you for the kettle',
    'Thank you for the lamp',
    'By the old address',
  ])
  const next = { conversation_id: lamp!, body: 'Welcome.' }
  const { data: last } = await as.ben(messages.create, { body: { message: next } })
  await sendNow(server, last.id)
  await expect.poll(() => smtp.mails.at(-1)?.text).toContain('Welcome.')
  expect(smtp.mails.at(-1)?.to?.map(({ address }) => address)).toEqual(['dora@webmail.test'])
})
