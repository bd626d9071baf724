import { afterAll } from 'vitest'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { conversationForwarding } from '#contract/mail/conversation-forwarding.ts'
import { forwardingAddresses } from '#contract/mail/forwarding-addresses.ts'
import { postMessage } from '#server/features/conversations/conversations/posting.ts'
import { storeMail } from '#server/features/mail/forwarding-addresses/routing.ts'
import { newId } from '#server/platform/secrets.ts'
import { startSns } from '#tests/emulators/sns.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { allProcessed, RELAY_KEY, writeMail } from '#tests/support/incoming-mail.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { sendNow } from '#tests/support/pass-time.ts'

const smtp = await startMailServer()
const sns = await startSns()
afterAll(() => Promise.all([smtp.close(), sns.close()]))

const test = base
  .extend(
    'env',
    { scope: 'file' },
    { MAIL_IN_DOMAIN: 'in.acme.test', MAIL_IN_KEY: RELAY_KEY, SMTP_URL: smtp.url, SNS_URL: sns.url },
  )
  .extend('source', { scope: 'file' }, async ({ as }) => {
    const forwarding_address = { source_email_address: 'support@acme.test' }
    return (await as.ada(forwardingAddresses.create, { body: { forwarding_address } })).data
  })
  .extend('receive', async ({ server, source }) => async (raw: string | Buffer, from = '') => {
    await storeMail(server.context, { raw: Buffer.from(raw), recipients: [source.forwarding_email_address], from })
    await allProcessed(server)
  })
  /** A conversation by mail, with the mail that answers it. */
  .extend('answered', async ({ as, server, receive }) => async (from: string) => {
    await receive(writeMail({ to: 'support@acme.test', from, text: 'Where is it?' }), from)
    const { data } = await as.ada(conversations.list, { query: { source: 'email' } })
    const conversation = data.find(({ customer }) => customer.email === from)!
    const body = { message: { conversation_id: conversation.id, body: 'On its way.' } }
    const { data: reply } = await as.ada(messages.create, { body })
    await sendNow(server, reply.id)
    await expect.poll(() => smtp.mails.find(({ messageId }) => messageId?.includes(reply.id))).toBeDefined()
    return { conversation, sent: smtp.mails.find(({ messageId }) => messageId?.includes(reply.id))! }
  })
  .extend('customerOf', async ({ as }) => async (id: string) => {
    return (await as.ben(customerProfiles.get, { params: { id } })).data
  })

const complaint = (to: string, id: string) =>
  [
    'Return-Path: <>',
    'From: feedback@mailhost.test',
    'To: support@acme.test',
    'Subject: FW: Re: Where is it?',
    'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
    '',
    '--b\r\nContent-Type: text/plain\r\n\r\nThis is an abuse report.',
    `--b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nOriginal-Rcpt-To: ${to}`,
    `--b\r\nContent-Type: message/rfc822\r\n\r\nTo: ${to}\r\nMessage-ID: ${id}\r\n\r\nOn its way.`,
    '--b--',
    '',
  ].join('\r\n')

test('who marks a mail as spam gets no automatic mails until the team allows them again', async ({
  as,
  server,
  answered,
  receive,
  customerOf,
}) => {
  const { conversation, sent } = await answered('sam@example.org')
  await receive(complaint('sam@example.org', sent.messageId!))
  const { id, customer_id, account_id } = conversation
  expect((await customerOf(customer_id)).complained_at).not.toBeNull()
  const { data: thread } = await as.ben(messages.list, { query: { conversation_id: id } })
  expect(thread[0]).toMatchObject({
    private: true,
    body: expect.stringContaining('sam@example.org has marked a mail as spam'),
  })
  const postBot = async () => {
    const draft = { id: newId(), conversation_id: id, body: 'Are you content?' }
    await server.context.change((tx) =>
      postMessage(server.context, tx, account_id, { kind: 'bot', user_id: null }, draft),
    )
    await sendNow(server, draft.id)
    return draft.id
  }
  const unsent = await postBot()
  // Decided before the mails are allowed again below.
  const stateOf = (id: string) =>
    server.context.db.selectFrom('deliveries').select('state').where('message_id', '=', id).executeTakeFirst()
  await expect.poll(async () => (await stateOf(unsent))?.state).toBe('dropped')
  const forward = { to: 'sam@example.org' }
  await expect(as.ben(conversationForwarding.forward, { params: { id }, body: { forward } })).rejects.toThrow(
    'has marked a mail of yours as spam',
  )
  const allowed = await as.ben(customerProfiles.allowAutomaticMail, { params: { id: customer_id } })
  expect(allowed.data.complained_at).toBeNull()
  const sentAgain = await postBot()
  await expect.poll(() => smtp.mails.some(({ messageId }) => messageId?.includes(sentAgain))).toBe(true)
  expect(smtp.mails.some(({ messageId }) => messageId?.includes(unsent))).toBe(false)
})

test('a complaint about a mail that was not sent from here marks nobody', async ({ answered, receive, customerOf }) => {
  const { conversation } = await answered('tina@example.org')
  await receive(complaint('tina@example.org', '<made-up@example.org>'))
  expect((await customerOf(conversation.customer_id)).complained_at).toBeNull()
})

test('SES reports bounces and complaints by its notifications', async ({ as, server, answered, customerOf }) => {
  const notify = async (content: object) => {
    const response = await fetch(`${server.url}/api/inbound_mail/${encodeURIComponent(RELAY_KEY)}`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain', 'x-amz-sns-message-type': 'Notification' },
      body: sns.message({ Message: JSON.stringify(content) }),
    })
    await allProcessed(server)
    return response.status
  }
  const { conversation, sent } = await answered('uma@example.org')
  const mail = {
    source: 'support@acme.test',
    messageId: 'of-ses',
    headers: [
      { name: 'Message-ID', value: sent.messageId },
      { name: 'Reply-To', value: sent.replyTo![0]!.address },
    ],
  }
  const bounced = {
    emailAddress: 'uma@example.org',
    action: 'failed',
    status: '5.1.1',
    diagnosticCode: 'smtp; 550 5.1.1 nobody here',
  }
  const bounce = { bounceType: 'Permanent', bouncedRecipients: [bounced] }
  expect(await notify({ notificationType: 'Bounce', mail, bounce })).toBe(200)
  const { data: thread } = await as.ben(messages.list, { query: { conversation_id: conversation.id } })
  expect(thread[0]!.body).toBe('The mail to uma@example.org was not delivered: 550 5.1.1 nobody here')
  const report = { complainedRecipients: [{ emailAddress: 'uma@example.org' }] }
  expect(await notify({ notificationType: 'Complaint', mail, complaint: report })).toBe(200)
  expect((await customerOf(conversation.customer_id)).complained_at).not.toBeNull()
})

test('where only forms write, each Reply-To is a customer', async ({ as, source, receive }) => {
  const params = { id: source.id }
  await as.ada(forwardingAddresses.update, { params, body: { forwarding_address: { takes_forms: true } } })
  for (const name of ['vera', 'walt']) {
    const headers = { 'Reply-To': `${name}@example.org` }
    await receive(
      writeMail({ to: 'support@acme.test', from: 'web@forms.test', text: `I am ${name}.`, headers }),
      'web@forms.test',
    )
  }
  await as.ada(forwardingAddresses.update, { params, body: { forwarding_address: { takes_forms: false } } })
  const { data } = await as.ada(conversations.list, { query: { source: 'email' } })
  const people = data.map(({ customer }) => customer.email)
  expect(people).toEqual(expect.arrayContaining(['vera@example.org', 'walt@example.org']))
  expect(people).not.toContain('web@forms.test')
})
