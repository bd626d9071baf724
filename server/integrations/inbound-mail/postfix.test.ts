import { createTransport } from 'nodemailer'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { forwardingAddresses } from '#contract/mail/forwarding-addresses.ts'
import { messageMails } from '#contract/mail/message-mails.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { sendNow } from '#tests/support/pass-time.ts'
import { hasPostfix, startPostfix } from '#tests/support/postfix.ts'
import { freePort } from '#tests/support/server-process.ts'

const TIMEOUT = { timeout: 40_000, interval: 100 }
const PORT = await freePort()
const SENDER = 'support@acme.test'

const withPostfix = base
  .extend('postfix', { scope: 'file' }, async ({ extra: _ }, { onCleanup }) => {
    const elsewhere = await startMailServer()
    elsewhere.refuseWith(550)
    const postfix = await startPostfix({ 'in.acme.test': PORT }, Number(new URL(elsewhere.url).port))
    onCleanup(() => Promise.all([postfix.stop(), elsewhere.close()]).then(() => undefined))
    return postfix
  })
  .extend('env', { scope: 'file' }, ({ postfix }) => ({
    SMTP_URL: `smtp://localhost:${postfix.port}`,
    MAIL_FROM: `Parley <${SENDER}>`,
    MAIL_IN_DOMAIN: 'in.acme.test',
    MAIL_IN_PORT: String(PORT),
    HOST: '127.0.0.1',
  }))

const test = withPostfix.skipIf(!hasPostfix)

test('Postfix: it delivers mail by SMTP, takes replies although its certificate is for another name, and its bounce marks the reply', {
  timeout: 150_000,
}, async ({ as, server, postfix }) => {
  const forwarding_address = { source_email_address: SENDER }
  const { data } = await as.ada(forwardingAddresses.create, { body: { forwarding_address } })
  postfix.forward(SENDER, data.forwarding_email_address)
  const transport = createTransport({ host: '127.0.0.1', port: postfix.port, ignoreTLS: true })
  const mail = { from: 'Nora <nora@nowhere.example>', to: SENDER, subject: 'Lamp', text: 'Is it bright?' }
  await transport.sendMail(mail).finally(() => transport.close())

  const find = async () => (await as.ben(conversations.list, { query: { source: 'email' } })).data[0]
  await expect.poll(find, TIMEOUT).toMatchObject({ subject: 'Lamp', customer: { email: 'nora@nowhere.example' } })
  const { id: conversation_id } = (await find())!
  const message = { conversation_id, body: 'Very.' }
  const { id } = (await as.ben(messages.create, { body: { message } })).data
  await sendNow(server, id)
  const state = async () => {
    const { bounced_at, bounce_reason, recipients } = (await as.ben(messageMails.get, { params: { id } })).data
    return { isBounced: bounced_at !== null, bounce_reason, recipients }
  }
  await expect
    .poll(() => state().catch(() => undefined), TIMEOUT)
    .toEqual({
      isBounced: true,
      bounce_reason: expect.stringContaining('not today'),
      recipients: ['nora@nowhere.example'],
    })
  expect(server.context.mailer.problem()).toBe(null)
  // The bounce is no message of a customer.
  expect((await as.ben(conversations.list, { query: { source: 'email' } })).data).toHaveLength(1)
})
