import { afterAll } from 'vitest'
import { audit } from '#contract/accounts/audit.ts'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { forwardingAddresses } from '#contract/mail/forwarding-addresses.ts'
import { messageMails } from '#contract/mail/message-mails.ts'
import { replyAddress } from '#server/features/mail/conversation-mails/own-addresses.ts'
import { storeMail } from '#server/features/mail/forwarding-addresses/routing.ts'
import { test as base, expect, refusalOf } from '#tests/support/fixture.ts'
import { allProcessed, type MailDraft, RELAY_KEY, writeMail } from '#tests/support/incoming-mail.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { sendNow } from '#tests/support/pass-time.ts'
import { startConversation } from '#tests/support/world.ts'

/** Says to accept mails of as many bytes as Postfix does from the start. */
const SIZE = 10_240_000
const smtp = await startMailServer(undefined, SIZE)
afterAll(() => smtp.close())

interface Received extends Partial<MailDraft> {
  /** The domain for which the sender is proven. */
  proves?: string
  /** The address it arrives at, if not that of the account. */
  at?: string
}

const test = base
  .extend('env', { scope: 'file' }, { MAIL_IN_DOMAIN: 'in.acme.test', MAIL_IN_KEY: RELAY_KEY, SMTP_URL: smtp.url })
  .extend('source', { scope: 'file' }, async ({ as }) => {
    const forwarding_address = { source_email_address: 'support@acme.test' }
    return (await as.ada(forwardingAddresses.create, { body: { forwarding_address } })).data
  })
  /** Receives a mail, and returns the conversations by mail of a customer. */
  .extend('receive', async ({ server, source }) => async (from: string, { proves, at, ...draft }: Received = {}) => {
    const raw = writeMail({ to: 'Acme <support@acme.test>', text: 'Where is it?', from, ...draft })
    await storeMail(server.context, {
      raw: Buffer.from(raw),
      recipients: [at ?? source.forwarding_email_address],
      from: from.replace(/^.*<|>.*$/g, ''),
      proof: { result: proves ? 'pass' : 'none', domain: proves ?? null },
    })
    await allProcessed(server)
  })
  .extend('threadsOf', async ({ as }) => async (customer: string) => {
    const { data } = await as.ada(conversations.list, { query: { source: 'email' } })
    return data.filter((conversation) => conversation.customer.email === customer)
  })
  .extend('recipientsOf', async ({ as }) => async (id: string) => {
    const { data } = await as.ben(messageMails.recipients, { params: { id } })
    return { to: data.to.map(({ address }) => address), cc: data.cc.map(({ address }) => address) }
  })
  /** Sends a reply, and returns its mail. */
  .extend('answer', async ({ as, server }) => async (conversation_id: string, body: string, mail?: object) => {
    const message = { conversation_id, body, ...(mail && { mail }) }
    const { data } = await as.ada(messages.create, { body: { message } })
    await sendNow(server, data.id)
    await expect.poll(() => smtp.mails.find(({ messageId }) => messageId?.includes(data.id))).toBeDefined()
    const sent = smtp.mails.find(({ messageId }) => messageId?.includes(data.id))!
    const list = (all: typeof sent.to) => (all ?? []).flatMap(({ address }) => address ?? [])
    return { ...sent, to: list(sent.to), cc: list(sent.cc) }
  })

test('Reply-To and copies count only in mails whose sender is proven', async ({
  receive,
  threadsOf,
  answer,
  recipientsOf,
  as,
}) => {
  const headers = { 'Reply-To': 'else@webmail.test', Cc: 'friend@webmail.test' }
  await receive('dora@webmail.test')
  const { id } = (await threadsOf('dora@webmail.test'))[0]!
  const first = await answer(id, 'Tomorrow.')
  await receive('dora@webmail.test', {
    headers: { ...headers, 'In-Reply-To': first.messageId! },
    text: 'Send it there.',
  })
  expect(await recipientsOf(id)).toEqual({ to: ['dora@webmail.test'], cc: [] })
  const forged = await answer(id, 'As you like.')
  expect([forged.to, forged.cc]).toEqual([['dora@webmail.test'], []])
  await receive('dora@webmail.test', {
    headers: { ...headers, 'In-Reply-To': first.messageId! },
    text: 'It is me.',
    proves: 'webmail.test',
  })
  expect(await recipientsOf(id)).toEqual({ to: ['else@webmail.test'], cc: ['friend@webmail.test'] })
  // Nobody has written there yet, so the composer asks.
  const { data } = await as.ben(messageMails.recipients, { params: { id } })
  expect(data.to).toEqual([{ address: 'else@webmail.test', name: null, is_new: true }])
  const proven = await answer(id, 'Good.')
  expect([proven.to, proven.cc]).toEqual([['else@webmail.test'], ['friend@webmail.test']])
})

test('a verdict about another domain proves nothing', async ({ receive, threadsOf, recipientsOf }) => {
  await receive('(eve@evil.test) <rosa@bank.test>', { headers: { Cc: 'eve@evil.test' }, proves: 'evil.test' })
  const [thread] = await threadsOf('rosa@bank.test')
  expect(await recipientsOf(thread!.id)).toEqual({ to: ['rosa@bank.test'], cc: [] })
})

test('whoever has the reply address may write, but the next answer goes to the customer', async ({
  receive,
  threadsOf,
  answer,
  recipientsOf,
  server,
  as,
}) => {
  await receive('mona@shop.test', { proves: 'shop.test' })
  const { id } = (await threadsOf('mona@shop.test'))[0]!
  const at = replyAddress(server.context.config, id)!
  const headers = { 'Reply-To': 'mallory@evil.test', Cc: 'second@evil.test', Subject: 'Something else' }
  await receive('Mallory <mallory@evil.test>', { at, text: 'And my refund?', headers, proves: 'evil.test' })
  expect(await recipientsOf(id)).toEqual({ to: ['mona@shop.test'], cc: [] })
  const mail = await answer(id, 'For Mona.')
  expect([mail.to, mail.cc, mail.subject]).toEqual([['mona@shop.test'], [], 'Re: My order'])
  expect(mail.text).not.toContain('my refund')
  const { data } = await as.ben(messageMails.ofConversation, { params: { id } })
  expect(data.map(({ sender, from_address }) => [sender, from_address])).toEqual([
    ['customer', 'mona@shop.test'],
    ['newcomer', 'mallory@evil.test'],
    [null, null],
  ])
})

test('somebody in copy who answers stays in copy, if they are proven', async ({
  receive,
  threadsOf,
  answer,
  recipientsOf,
}) => {
  await receive('nina@house.test', { headers: { Cc: 'boss@house.test' }, proves: 'house.test' })
  const { id } = (await threadsOf('nina@house.test'))[0]!
  const first = await answer(id, 'On Monday.')
  expect(first.cc).toEqual(['boss@house.test'])
  const headers = { 'In-Reply-To': first.messageId!, 'Reply-To': 'boss@elsewhere.test' }
  await receive('boss@house.test', { headers, text: 'Monday is fine.', proves: 'house.test' })
  expect(await threadsOf('boss@house.test')).toEqual([])
  expect(await recipientsOf(id)).toEqual({ to: ['nina@house.test'], cc: ['boss@house.test'] })
  await receive('boss@house.test', { headers: { ...headers, Cc: 'eve@evil.test' }, text: 'Forged.' })
  expect(await recipientsOf(id)).toEqual({ to: ['nina@house.test'], cc: ['boss@house.test'] })
})

test('an automatic answer changes no recipient', async ({ receive, threadsOf, answer, recipientsOf }) => {
  await receive('away@house.test', { proves: 'house.test' })
  const { id } = (await threadsOf('away@house.test'))[0]!
  const { messageId } = await answer(id, 'Are you there?')
  const headers = { 'In-Reply-To': messageId!, 'Auto-Submitted': 'auto-replied', 'Reply-To': 'robot@house.test' }
  await receive('away@house.test', { headers, text: 'I am away.', proves: 'house.test' })
  expect(await recipientsOf(id)).toEqual({ to: ['away@house.test'], cc: [] })
})

test('a Message-ID connects only mails of people who took part in that mail', async ({
  receive,
  threadsOf,
  answer,
}) => {
  const newsletter = '<june@news.acme.test>'
  const headers = { 'Message-ID': newsletter, Cc: 'victim@home.test' }
  await receive('Mallory <mallory@evil.test>', { headers, text: 'Hello.', proves: 'evil.test' })
  const answers = { 'In-Reply-To': newsletter }
  await receive('victim@home.test', { headers: answers, text: 'Please unsubscribe me.', proves: 'home.test' })
  await receive('second@home.test', { headers: answers, text: 'Me, too.' })
  expect((await threadsOf('mallory@evil.test'))[0]!.last_number).toBe(1)
  expect(await threadsOf('victim@home.test')).toHaveLength(1)
  expect(await threadsOf('second@home.test')).toHaveLength(1)

  const { id } = (await threadsOf('victim@home.test'))[0]!
  const sent = await answer(id, 'Done.')
  // A stranger who saw the mail, such as somebody to whom it was forwarded.
  await receive('third@home.test', { headers: { 'In-Reply-To': sent.messageId! }, text: 'What is this?' })
  expect(await threadsOf('third@home.test')).toHaveLength(1)
  await receive('victim@home.test', { headers: { 'In-Reply-To': sent.messageId! }, text: 'Thanks.' })
  expect((await threadsOf('victim@home.test'))[0]!.messages.at(-1)!.body).toBe('Thanks.')
  expect(await threadsOf('victim@home.test')).toHaveLength(1)
})

test('a contact form starts a conversation with the person it names, each with their own', async ({
  receive,
  threadsOf,
  recipientsOf,
}) => {
  for (const [from, person] of [
    ['Website <support@acme.test>', 'one@visitor.test'],
    ['Website <support@acme.test>', 'two@visitor.test'],
    ['Forms <noreply@forms.test>', 'three@visitor.test'],
  ] as const) {
    await receive(from, { headers: { 'Reply-To': `Visitor <${person}>` }, text: 'By the form.', proves: 'forms.test' })
    const [thread] = await threadsOf(person)
    expect(thread).toMatchObject({ customer: { name: 'Visitor' }, messages: [{ body: 'By the form.' }] })
    expect(await recipientsOf(thread!.id)).toEqual({ to: [person], cc: [] })
  }
  expect(await threadsOf('noreply@forms.test')).toEqual([])
})

test('a mail from our own address that names nobody is ignored with the reason, until an admin wants it', async ({
  receive,
  threadsOf,
  as,
  server,
}) => {
  await receive('Website <support@acme.test>', { text: 'Name: Kim. I have a question.' })
  const { data } = await as.ada(integrations.inboundEvents, { query: { state: 'ignored' } })
  const event = data.find(({ reason }) => reason?.includes('set Reply-To'))!
  await as.ada(integrations.retryInbound, { params: { id: event.id } })
  await allProcessed(server)
  expect((await threadsOf('support@acme.test'))[0]!.messages[0]!.body).toBe('Name: Kim. I have a question.')
})

test('the same Message-ID with another text is another mail', async ({ receive, threadsOf }) => {
  const headers = { 'Message-ID': '<always@printer.test>' }
  for (const text of ['Toner is low.', 'Toner is low.', 'Toner is empty.']) {
    await receive('printer@office.test', { headers, text })
  }
  const bodies = (await threadsOf('printer@office.test')).map(({ messages: [newest] }) => newest?.body)
  expect(bodies.sort()).toEqual(['Toner is empty.', 'Toner is low.'])
})

test('a mail with the Message-ID of one of ours is not taken for ours', async ({ receive, threadsOf, answer }) => {
  await receive('copy@home.test')
  const { id } = (await threadsOf('copy@home.test'))[0]!
  const { messageId } = await answer(id, 'Here.')
  await receive('copy@home.test', { headers: { 'Message-ID': messageId!, 'In-Reply-To': messageId! }, text: 'Got it.' })
  expect((await threadsOf('copy@home.test'))[0]!.messages.at(-1)!.body).toBe('Got it.')
})

test('an answer of a colleague to a notification is their note, or says that nothing proves it', async ({
  receive,
  threadsOf,
  as,
  world,
  server,
}) => {
  await receive('asks@home.test')
  const { id } = (await threadsOf('asks@home.test'))[0]!
  const headers = { References: `<conversation-${id}@chat.acme.test> <mail@chat.acme.test>` }
  await receive(world.ben.email, { headers, text: 'Whose is this?', proves: world.ben.email.split('@')[1]! })
  await receive(world.ben.email, { headers, text: 'Pay them.' })
  const { data } = await as.ada(messages.list, { query: { conversation_id: id } })
  expect(data[1]).toMatchObject({ body: 'Whose is this?', private: true, user_id: world.ben.id })
  expect(data[0]).toMatchObject({ private: true, type: 'bot', body: expect.stringContaining('nothing proves') })
  // Also long after the conversation was closed.
  await as.ada(conversations.update, { params: { id }, body: { conversation: { status: 'closed' } } })
  const closed_at = new Date(Date.now() - 100 * 86_400_000).toISOString()
  await server.context.db.updateTable('conversations').set({ closed_at }).where('id', '=', id).execute()
  await receive(world.ben.email, { headers, text: 'How did it end?', proves: world.ben.email.split('@')[1]! })
  expect((await as.ada(messages.list, { query: { conversation_id: id } })).data[0]).toMatchObject({ private: true })
  await receive(world.ben.email, { headers: { ...headers, 'Auto-Submitted': 'auto-replied' }, text: 'On holiday.' })
  expect((await as.ada(messages.list, { query: { conversation_id: id } })).data[0]!.body).toBe('How did it end?')
  const { data: matches } = await as.ada(customerProfiles.list, { query: { q: world.ben.email } })
  expect(matches).toEqual([])
})

test('chosen recipients are used as they are, and an invalid one is refused with a sentence', async ({
  receive,
  threadsOf,
  answer,
  recipientsOf,
  as,
}) => {
  await receive('lena@house.test', { headers: { Cc: 'boss@house.test' }, proves: 'house.test' })
  const { id, customer_id } = (await threadsOf('lena@house.test'))[0]!
  const chosen = {
    to: ['lena@house.test', 'Tax@office.test'],
    cc: [],
    bcc: ['archive@house.test'],
    subject: 'Your tax',
  }
  await as.ada(customerProfiles.update, {
    params: { id: customer_id },
    body: { customer: { email: 'new@house.test' } },
  })
  const mail = await answer(id, 'To both of you.', chosen)
  expect([mail.to, mail.cc, mail.subject]).toEqual([chosen.to, [], 'Re: Your tax'])
  // Two of them are new here, so they do not read what came before.
  expect(mail.text).not.toContain('Where is it?')
  const { data } = await as.ben(messageMails.ofConversation, { params: { id } })
  expect(data.at(-1)).toMatchObject({ recipients: chosen.to, cc: [], bcc: chosen.bcc })
  expect(await recipientsOf(id)).toMatchObject({ to: ['new@house.test'] })
  const second = await answer(id, 'With everything.', { to: ['auditor@office.test'], cc: [], quote: true })
  expect(second.text).toContain('> Where is it?')
  const changed = await as.ben(messageMails.ofConversation, { params: { id } })
  expect(changed.data.at(-1)).toMatchObject({ has_other_recipients: true })
  const post = (mail: object, more: object = {}) =>
    refusalOf(as.ada(messages.create, { body: { message: { conversation_id: id, body: 'No.', mail, ...more } } }))
  expect(await post({ cc: ['not an address'] })).toMatchObject({
    status: 422,
    message: expect.stringContaining('not an address'),
  })
  expect(await post({ to: [] })).toMatchObject({ status: 422 })
  expect(await post({ cc: ['a@b.test'] }, { private: true })).toMatchObject({ status: 422 })
})

test('existing clients choose copies and subject in the metadata, which stays as it is', async ({
  receive,
  threadsOf,
  answer,
  as,
  server,
}) => {
  await receive('old@house.test')
  const { id } = (await threadsOf('old@house.test'))[0]!
  await answer(id, 'Nothing chosen.')
  const metadata = { mail_cc: ['boss@house.test'], mail_bcc: ['hidden@house.test'], mail_subject: 'As chosen' }
  const { data } = await as.ada(messages.create, {
    body: { message: { conversation_id: id, body: 'Chosen.', metadata } },
  })
  expect(data.metadata).toEqual(metadata)
  await sendNow(server, data.id)
  await expect
    .poll(() => smtp.mails.find(({ messageId }) => messageId?.includes(data.id)))
    .toMatchObject({
      subject: 'Re: As chosen',
      cc: [{ address: 'boss@house.test' }],
    })
  const wrong = { conversation_id: id, body: 'Wrong.', metadata: { mail_cc: ['nobody'] } }
  expect(await refusalOf(as.ada(messages.create, { body: { message: wrong } }))).toMatchObject({ status: 422 })
})

test('existing clients choose copies over the socket as well, and without effect where nothing is mailed', async ({
  receive,
  threadsOf,
  openSocket,
  server,
  world,
  as,
}) => {
  await receive('tilda@house.test')
  const { id: conversation_id } = (await threadsOf('tilda@house.test'))[0]!
  const team = await openSocket({ token: world.ada.token }).join(`notification:${world.acme.id}`)
  const metadata = { mail_cc: ['boss@house.test'], mail_subject: 'By socket' }
  const sent = await team.push('shout', { conversation_id, body: 'Chosen.', metadata })
  await sendNow(server, sent.id)
  await expect
    .poll(() => smtp.mails.find(({ messageId }) => messageId?.includes(sent.id)))
    .toMatchObject({ subject: 'Re: By socket', cc: [{ address: 'boss@house.test' }] })
  await expect(team.push('shout', { conversation_id, body: 'No.', metadata: { mail_cc: ['nobody'] } })).rejects.toThrow(
    'not an email address',
  )
  const wrong = { mail_cc: ['nobody'], mail_subject: 7 }
  const note = { conversation_id, body: 'A note.', private: true, metadata: wrong }
  const chat = {
    conversation_id: (await startConversation(server, world.carla)).conversation_id,
    body: 'In the chat.',
    metadata: wrong,
  }
  for (const message of [note, chat]) {
    expect((await as.ada(messages.create, { body: { message } })).data.metadata).toEqual(wrong)
  }
})

test('no metadata of a reply keeps it from being sent', async ({ receive, threadsOf, server, as }) => {
  await receive('otis@house.test')
  const { id: conversation_id } = (await threadsOf('otis@house.test'))[0]!
  const message = { conversation_id, body: 'Sent.', metadata: { ses_message_id: 'any', gmail_id: 'any' } }
  const { data } = await as.ada(messages.create, { body: { message } })
  await sendNow(server, data.id)
  await expect.poll(() => smtp.mails.some(({ messageId }) => messageId?.includes(data.id))).toBe(true)
})

test('a mail of somebody else is split off with its files into their own conversation, once', async ({
  receive,
  threadsOf,
  server,
  as,
}) => {
  await receive('ida@home.test')
  const { id } = (await threadsOf('ida@home.test'))[0]!
  const at = replyAddress(server.context.config, id)!
  const parts = [
    '--m',
    'Content-Type: text/plain',
    '',
    'My own question.',
    '--m',
    'Content-Type: text/plain; name=note.txt',
    'Content-Disposition: attachment; filename=note.txt',
    '',
    'attached',
    '--m--',
  ]
  const headers = { 'Content-Type': 'multipart/mixed; boundary=m', 'Message-ID': '<own@other.test>' }
  const mail = { at, text: parts.join('\r\n'), headers, proves: 'other.test' }
  await receive('Otto <otto@other.test>', mail)
  const listed = async () => (await as.ben(messages.list, { query: { conversation_id: id } })).data
  const [strange, own] = await listed()
  expect(strange).toMatchObject({ body: 'My own question.', attachments: [{ filename: 'note.txt' }] })
  const split = (message_id: string) => as.ben(messageMails.splitOff, { params: { id: message_id } })
  const { data: moved } = await split(strange!.id)
  expect((await split(strange!.id)).data.id).toBe(moved.id)
  expect((await listed()).map(({ id: each }) => each)).toEqual([own!.id])
  const [thread, ...others] = await threadsOf('otto@other.test')
  expect(others).toEqual([])
  expect(thread).toMatchObject({ id: moved.id, read: false, subject: 'My order', customer: { name: 'Otto' } })
  expect(thread!.messages).toMatchObject([
    { body: 'My own question.', created_at: strange!.created_at, attachments: [{ filename: 'note.txt' }] },
  ])
  const [message] = thread!.messages
  expect((await as.ben(messageMails.get, { params: { id: message!.id } })).data).toMatchObject({ proof: 'pass' })
  // The same mail, delivered once more, is known.
  await receive('Otto <otto@other.test>', mail)
  expect(await listed()).toHaveLength(1)
  expect(await refusalOf(split(own!.id))).toMatchObject({ status: 422 })
  expect(await refusalOf(as.olga(messageMails.splitOff, { params: { id: message!.id } }))).toMatchObject({
    status: 404,
  })
  // Undone, it is where it was, and is still recognised.
  const undo = (message_id: string) => as.ben(messageMails.undoSplitOff, { params: { id: message_id } })
  expect(await refusalOf(as.olga(messageMails.undoSplitOff, { params: { id: message!.id } }))).toMatchObject({
    status: 404,
  })
  expect((await undo(message!.id)).data.id).toBe(id)
  const back = (await listed()).find(({ body }) => body === 'My own question.')!
  expect(back).toMatchObject({
    created_at: strange!.created_at,
    attachments: [{ filename: 'note.txt' }],
    metadata: { mail_sender: { address: 'otto@other.test' } },
  })
  expect(await threadsOf('otto@other.test')).toEqual([])
  await receive('Otto <otto@other.test>', mail)
  expect(await listed()).toHaveLength(2)
  expect(await refusalOf(undo(back.id))).toMatchObject({ status: 404 })
  // Once somebody has written there, it stays.
  const { data: again } = await split(back.id)
  await as.ben(messages.create, { body: { message: { conversation_id: again.id, body: 'Hello Otto.' } } })
  const { data: written } = await as.ben(messages.list, { query: { conversation_id: again.id } })
  const mailAgain = written.find(({ body }) => body === 'My own question.')!
  expect(await refusalOf(undo(mailAgain.id))).toMatchObject({ status: 422 })
  const { data: log } = await as.ada(audit.list, { query: { action: 'message.split_off' } })
  expect(log).toHaveLength(2)
  expect(log.at(-1)).toMatchObject({ subject_id: id, details: { conversation_id: moved.id } })
})

test('files that would make a mail larger than the mail server accepts are sent as links, which the composer says before', async ({
  as,
  world,
  server,
  receive,
  threadsOf,
}) => {
  await receive('Lia <lia@files.test>', { proves: 'files.test' })
  const [conversation] = await threadsOf('lia@files.test')
  const { id } = conversation!
  const limit = async () => (await as.ben(messageMails.recipients, { params: { id } })).data.attachable_bytes
  await expect.poll(limit).toBeLessThan((SIZE * 3) / 4)
  expect(await limit()).toBeGreaterThan(7_000_000)
  const upload = async (filename: string, size: number) => {
    const form = new FormData()
    form.append('file', new Blob([Buffer.alloc(size, 'x')], { type: 'application/zip' }), filename)
    const headers = { authorization: world.ada.token }
    const response = await fetch(`${server.url}/api/upload`, { method: 'POST', body: form, headers })
    return (await response.json()).data.id as string
  }
  const file_ids = [
    await upload('one.zip', 4_000_000),
    await upload('two.zip', 4_000_000),
    await upload('three.zip', 9_000),
  ]
  const { data } = await as.ada(messages.create, { body: { message: { conversation_id: id, body: 'Here', file_ids } } })
  await sendNow(server, data.id)
  const mail = await smtp.receive('lia@files.test')
  expect(mail.attachments.map(({ filename }) => filename)).toEqual(['one.zip', 'three.zip'])
  expect(mail.text).toMatch(/two\.zip: http\S+/)
  expect(smtp.envelopes.at(-1)!.raw.length).toBeLessThan(SIZE)
})
