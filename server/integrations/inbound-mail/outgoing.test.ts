import { afterAll, vi } from 'vitest'
import { userSettings } from '#contract/accounts/user-settings.ts'
import { deliveries } from '#contract/connections/deliveries.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { scheduledMessages } from '#contract/conversations/scheduled-messages.ts'
import { customers } from '#contract/customers/customers.ts'
import { erasure } from '#contract/customers/erasure.ts'
import { emailTemplates } from '#contract/mail/email-templates.ts'
import { forwardingAddresses } from '#contract/mail/forwarding-addresses.ts'
import { inboxes } from '#contract/widget/inboxes.ts'
import { postMessage } from '#server/features/conversations/conversations/posting.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { allProcessed, type MailDraft, RELAY_KEY, relayMail, writeMail } from '#tests/support/incoming-mail.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { sendNow } from '#tests/support/pass-time.ts'
import { isStored } from '#tests/support/stored-file.ts'

const smtp = await startMailServer()
afterAll(() => smtp.close())

const TIMEOUT = { timeout: 30_000, interval: 50 }

const test = base
  .extend('env', { scope: 'file' }, { MAIL_IN_DOMAIN: 'in.acme.test', MAIL_IN_KEY: RELAY_KEY, SMTP_URL: smtp.url })
  .extend('source', { scope: 'file' }, async ({ as }) => {
    const forwarding_address = { source_email_address: 'support@acme.test' }
    const { data } = await as.ada(forwardingAddresses.create, { body: { forwarding_address } })
    return data
  })
  .extend('write', async ({ server, source, as }) => async (from: string, draft: Partial<MailDraft> = {}) => {
    const to = source.forwarding_email_address
    const raw = writeMail({ to: `Acme <support@acme.test>`, text: 'Where is it?', from, ...draft })
    expect((await relayMail(server, raw, { to, from })).status).toBe(200)
    await allProcessed(server)
    const { data } = await as.ada(conversations.list, { query: { source: 'email' } })
    return data.find(({ customer }) => customer.email === from)!
  })
  /** A reply, sent at once. */
  .extend('answer', async ({ as, server }) => async (conversation_id: string, body: string, mail?: object) => {
    const message = { conversation_id, body, ...(mail && { mail }) }
    const { data } = await as.ada(messages.create, { body: { message } })
    await sendNow(server, data.id)
    return data
  })

test('a reply is sent as a mail in its thread, and the answer to it comes back', async ({
  as,
  answer,
  write,
  server,
}) => {
  const headers = { 'Message-ID': '<first@example.org>', References: '<zero@example.org>', Cc: 'boss@example.org' }
  const { id } = await write('nora@example.org', { headers })
  const message = await answer(id, 'It is on its **way**.', { cc: ['boss@example.org'] })
  const mail = await smtp.receive('nora@example.org')
  expect(mail).toMatchObject({
    subject: 'Re: My order',
    inReplyTo: '<first@example.org>',
    references: '<zero@example.org> <first@example.org>',
    cc: [{ address: 'boss@example.org' }],
  })
  expect(mail.messageId).toContain(message.id)
  expect(mail.text).toMatch(/^It is on its way\.\n\nOn .*nora@example\.org wrote:\n> Where is it\?/)
  expect(mail.headers.some(({ key }) => key === 'auto-submitted')).toBe(false)
  const reply_to = mail.replyTo![0]!.address!
  const back = writeMail({ to: reply_to, from: 'nora@example.org', text: 'Thank you!' })
  expect((await relayMail(server, back, { to: reply_to })).status).toBe(200)
  await allProcessed(server)
  const { data } = await as.ben(messages.list, { query: { conversation_id: id } })
  expect(data[0]).toMatchObject({ body: 'Thank you!', conversation_id: id })
  const sent = await as.ben(deliveries.ofConversation, { params: { conversation_id: id } })
  expect(sent.data).toMatchObject([{ state: 'sent', integration: 'ses', message_id: message.id }])
})

test('erasing a customer deletes the original of their mail and the reply to it', async ({
  as,
  answer,
  write,
  server,
}) => {
  const conversation = await write('erased@example.org')
  await answer(conversation.id, 'For you alone.', { to: ['private@example.org'] })
  await smtp.receive('private@example.org')
  const { db, files } = server.context
  const originals = () =>
    db.selectFrom('mail_originals').select('key').where('customer_id', '=', conversation.customer_id).execute()
  const [{ key }] = (await originals()) as [{ key: string }]
  expect(await isStored(files, key)).toBe(true)
  await as.ada(erasure.erase, { params: { id: conversation.customer_id } })
  expect(await originals()).toEqual([])
  const stored = await db.selectFrom('mails').select('id').where('recipient', '=', 'private@example.org').execute()
  expect(stored).toEqual([])
  await expect.poll(() => isStored(files, key)).toBe(false)
})

test('a reply uses the account’s template, with the subject of its thread and above the earlier messages', async ({
  as,
  answer,
  write,
}) => {
  const kind = { params: { kind: 'answer' as const } }
  const body = '<p>Dear {{ customer.email }},</p><p>{{ message.text }}</p><p>{{ company.name }}</p>'
  await as.ada(emailTemplates.save, { ...kind, body: { template: { subject: 'Ours', body, color: '#123456' } } })
  const { id } = await write('own@example.org')
  await answer(id, 'On <Friday>.')
  const mail = await smtp.receive('own@example.org')
  await as.ada(emailTemplates.reset, kind)
  expect(mail.subject).toBe('Re: My order')
  expect(mail.text).toMatch(/^Dear own@example\.org,\n\nOn <Friday>\.\n\nAcme\n\nOn .* wrote:\n> Where is it\?/)
  expect(mail.html).toContain('<p>On &lt;Friday&gt;.</p>')
  expect(mail.html).toMatch(/<div class="gmail_quote">.*<\/body>/s)
})

test('a reply is in the language of its inbox, or that of the customer’s browser', async ({
  as,
  answer,
  write,
  server,
  world,
}) => {
  const kind = { params: { kind: 'answer' as const } }
  const body = '<p>{% if language == "vi" %}Xin chào{% else %}Hello{% endif %}</p><p>{{ message.text }}</p>'
  await as.ada(emailTemplates.save, { ...kind, body: { template: { subject: 'Ours', body, color: '#123456' } } })
  const { id, customer_id, inbox_id } = await write('tongue@example.org')
  const spoken = async (text: string) => {
    await answer(id, text)
    const mail = await vi.waitFor(() => {
      const match = smtp.mails.find((sent) => sent.text?.includes(text))
      expect(match).toBeDefined()
      return match!
    }, TIMEOUT)
    return mail.text!.split('\n')[0]
  }
  expect(await spoken('One.')).toBe('Hello')
  const settings = server.context.db.updateTable('widget_settings').where('account_id', '=', world.acme.id)
  await settings.set({ language: 'vi' }).where('inbox_id', '=', inbox_id).execute()
  expect(await spoken('Two.')).toBe('Xin chào')
  const customer = server.context.db.updateTable('customers').where('account_id', '=', world.acme.id)
  await customer.set({ browser_language: 'en-GB' }).where('id', '=', customer_id).execute()
  expect(await spoken('Three.')).toBe('Hello')
  await settings.set({ language: null }).where('inbox_id', '=', inbox_id).execute()
  await as.ada(emailTemplates.reset, kind)
})

test('our own mail that is forwarded back is not stored', async ({ answer, write, server, source, as }) => {
  const { id } = await write('loop@example.org')
  await answer(id, 'To be sent around.')
  await smtp.receive('loop@example.org')
  const { raw } = smtp.envelopes.find(({ to }) => to.includes('loop@example.org'))!
  expect((await relayMail(server, raw, { to: source.forwarding_email_address })).status).toBe(200)
  await allProcessed(server)
  const { data } = await as.ada(messages.list, { query: { conversation_id: id } })
  expect(data).toHaveLength(2)
})

test('a reply deleted within five seconds is not sent, and blind copies stay hidden', async ({ as, answer, write }) => {
  const { id } = await write('undo@example.org')
  const { data: taken_back } = await as.ada(scheduledMessages.create, {
    body: { scheduled_message: { conversation_id: id, body: 'Taken back.', undo_seconds: 30 } },
  })
  await as.ada(scheduledMessages.remove, { params: { id: taken_back.id } })
  await answer(id, 'Meant.', { cc: [], bcc: ['archive@acme.test'], subject: 'Your desk' })
  const mail = await smtp.receive('undo@example.org')
  expect([mail.subject, mail.text?.split('\n')[0], mail.cc, mail.bcc]).toEqual([
    'Re: Your desk',
    'Meant.',
    undefined,
    undefined,
  ])
  expect(smtp.envelopes.find(({ to }) => to.includes('undo@example.org'))!.to).toContain('archive@acme.test')
})

test('a final refusal of the mail server is shown at the message, and a bounce adds a note', async ({
  as,
  answer,
  write,
  server,
  source,
}) => {
  const { id } = await write('gone@example.org')
  smtp.refuseWith(550)
  const refused = await answer(id, 'To nobody.')
  const read = async () => (await as.ben(deliveries.ofConversation, { params: { conversation_id: id } })).data
  await expect.poll(read, { timeout: 30_000 }).toMatchObject([{ state: 'failed', message_id: refused.id }])
  smtp.refuseWith(undefined)
  await answer(id, 'Once more.')
  const mail = await smtp.receive('gone@example.org')
  const report = (action: 'delayed' | 'failed', status: string, diagnosis: string) =>
    [
      'From: MAILER-DAEMON@mx.example.org',
      'Return-Path: <>',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=r',
      '',
      '--r',
      'Content-Type: message/delivery-status',
      '',
      'Final-Recipient: rfc822; gone@example.org',
      `Action: ${action}`,
      `Status: ${status}`,
      `Diagnostic-Code: smtp; ${diagnosis}`,
      '--r',
      'Content-Type: message/rfc822',
      '',
      `Message-ID: ${mail.messageId}`,
      '',
      '--r--',
      '',
    ].join('\r\n')
  const late = report('delayed', '4.4.1', '451 4.4.1 Busy')
  const failed = report('failed', '5.1.1', '550 5.1.1 User unknown')
  const [forwarding, reply] = [source.forwarding_email_address, mail.replyTo![0]!.address!]
  // A slower server reports a delay after another has reported the final failure.
  for (const [text, to] of [
    [late, forwarding],
    [failed, forwarding],
    [failed, reply],
    [late, reply],
  ] as const) {
    expect((await relayMail(server, text, { to, from: '' })).status).toBe(200)
    await allProcessed(server)
  }
  const { data } = await as.ada(messages.list, { query: { conversation_id: id } })
  const notes = data.filter(({ type }) => type === 'bot')
  expect(notes.toSorted((a, b) => a.created_at.localeCompare(b.created_at))).toMatchObject([
    { private: true, body: expect.stringContaining('451 4.4.1 Busy') },
    { private: true, body: expect.stringContaining('550 5.1.1 User unknown') },
  ])
})

test('automatic mails are not answered automatically', async ({ write, server, answer }) => {
  const { id } = await write('away@example.org')
  await answer(id, 'Hello.')
  const first = await smtp.receive('away@example.org')
  const to = first.replyTo![0]!.address!
  const vacation = writeMail({
    to,
    from: 'away@example.org',
    text: 'I am away.',
    headers: { 'Auto-Submitted': 'auto-replied' },
  })
  expect((await relayMail(server, vacation, { to })).status).toBe(200)
  await allProcessed(server)
  const { account_id } = await server.context.db
    .selectFrom('conversations')
    .select('account_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const bot = { kind: 'bot' as const, user_id: null }
  await server.context.change((tx) =>
    postMessage(server.context, tx, account_id, bot, { conversation_id: id, body: 'Beep.' }),
  )
  const dropped = () =>
    server.context.db
      .selectFrom('deliveries')
      .select('state')
      .where('conversation_id', '=', id)
      .orderBy('number')
      .execute()
  await expect.poll(dropped, { timeout: 30_000 }).toEqual([{ state: 'sent' }, { state: 'dropped' }])
})

test('a forwarded test mail verifies the address, and replies are sent from it', async ({
  as,
  write,
  answer,
  server,
  source,
}) => {
  await as.ada(forwardingAddresses.test, { params: { id: source.id } })
  await smtp.receive('support@acme.test')
  const { raw } = smtp.envelopes.find(({ to }) => to.includes('support@acme.test'))!
  expect((await relayMail(server, raw, { to: source.forwarding_email_address })).status).toBe(200)
  await allProcessed(server)
  const { data } = await as.ada(forwardingAddresses.get, { params: { id: source.id } })
  expect(data.state).toBe('verified')
  const { id } = await write('named@example.org')
  await answer(id, 'In our name.')
  const mail = await smtp.receive('named@example.org')
  expect(mail.from?.address).toBe('support@acme.test')
})

test('a conversation can be started by mail, if the customer has an address', async ({ as, world, server }) => {
  const begin = (customer_id: string) =>
    as.ada(conversations.create, {
      body: {
        conversation: { customer_id, source: 'email', subject: 'Your invoice', message: { body: 'Here it is.' } },
      },
    })
  const create = async (email?: string) =>
    (await as.ada(customers.create, { body: { customer: { account_id: world.acme.id, name: 'Ines', email } } })).data.id
  await expect(begin(await create())).rejects.toThrow('Invalid customer email address')
  const { data: begun } = await begin(await create('invoice@example.org'))
  await sendNow(server, begun.id)
  const mail = await smtp.receive('invoice@example.org')
  expect([mail.subject, mail.text?.trim()]).toEqual(['Your invoice', 'Here it is.'])
})

test('an inbox names the sender of its mails, and signs for people without a signature of their own', async ({
  as,
  write,
  answer,
}) => {
  const conversation = await write('sender@example.org')
  const change = (inbox: object) => as.ada(inboxes.update, { params: { id: conversation.inbox_id }, body: { inbox } })
  const mailOf = async (body: string) => {
    await answer(conversation.id, body)
    await expect.poll(() => smtp.mails.find(({ text }) => text?.startsWith(body)), TIMEOUT).toBeDefined()
    return smtp.mails.find(({ text }) => text?.startsWith(body))!
  }
  await change({ sender_name: '{agent} from {company}', mail_signature: 'Lumen & Oak\nOak Street 1' })
  const first = await mailOf('Signed by the inbox.')
  expect(first.from?.name).toMatch(/^\S+ from Acme$/)
  expect(first.text).toContain('-- \nLumen & Oak\nOak Street 1')
  await as.ada(userSettings.update, { body: { user_settings: { mail_signature: 'Ada' } } })
  const second = await mailOf('Signed by Ada.')
  expect(second.text).toContain('-- \nAda')
  expect(second.text?.split('>')[0]).not.toContain('Oak Street')
  await as.ada(userSettings.update, { body: { user_settings: { mail_signature: null } } })
  await change({ sender_name: 'Lumen & Oak Support', mail_signature: null })
  expect((await mailOf('Sent by the shop.')).from?.name).toBe('Lumen & Oak Support')
  await change({ sender_name: null })
})
