import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { forwardingAddresses } from '#contract/mail/forwarding-addresses.ts'
import { messageMails } from '#contract/mail/message-mails.ts'
import { replyAddress } from '#server/features/mail/conversation-mails/own-addresses.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { allProcessed, type MailDraft, RELAY_KEY, relayMail, writeMail } from '#tests/support/incoming-mail.ts'

const test = base
  .extend('env', { scope: 'file' }, { MAIL_IN_DOMAIN: 'in.acme.test', MAIL_IN_KEY: RELAY_KEY })
  .extend('receive', async ({ server }) => async (draft: MailDraft) => {
    const { status } = await relayMail(server, writeMail(draft), {
      to: draft.to,
      from: draft.sender ?? 'carla@example.org',
    })
    expect(status).toBe(200)
    await allProcessed(server)
  })
  .extend('forwarding', async ({ as }) => {
    const forwarding_address = { source_email_address: 'support@acme.test' }
    const { data } = await as.ada(forwardingAddresses.create, { body: { forwarding_address } })
    return data
  })
  .extend('threads', async ({ as }) => async (customer: string) => {
    const { data } = await as.ada(conversations.list, { query: { source: 'email' } })
    return data.filter((conversation) => conversation.customer.email === customer)
  })

test('a mail to a forwarding address starts one conversation with its sender, however often it is delivered', async ({
  server,
  forwarding,
  threads,
}) => {
  const to = forwarding.forwarding_email_address
  expect(to).toMatch(/^[a-z2-7]{32}@in\.acme\.test$/)
  const raw = writeMail({ to, text: 'Where is my order?', from: 'Nora <nora@example.org>' })
  for (let i = 0; i < 3; i++) expect((await relayMail(server, raw, { to, from: 'nora@example.org' })).status).toBe(200)
  await allProcessed(server)
  const started = await threads('nora@example.org')
  expect(started).toHaveLength(1)
  expect(started[0]).toMatchObject({
    source: 'email',
    subject: 'My order',
    customer: { name: 'Nora' },
    messages: [{ body: 'Where is my order?', source: 'email', email_subject: 'My order' }],
  })
})

test('a mail without text has its subject as text, and one with a file has none', async ({
  server,
  forwarding,
  threads,
}) => {
  const to = forwarding.forwarding_email_address
  const raw = writeMail({ to, text: '', from: 'Silent <silent@example.org>' })
  expect((await relayMail(server, raw, { to, from: 'silent@example.org' })).status).toBe(200)
  await allProcessed(server)
  expect((await threads('silent@example.org'))[0]!.messages[0]!.body).toBe('My order')
})

test('a reply to a signed address joins its conversation, and a forged one does not', async ({
  as,
  receive,
  server,
  world,
}) => {
  const { id } = (
    await as.carla(conversations.create, { body: { conversation: { customer_id: world.carla.customer_id } } })
  ).data
  const to = replyAddress(server.context.config, id)!
  await receive({
    to: to.toUpperCase(),
    text: 'By mail.\n\n> Hello',
    from: 'somebody@else.test',
    sender: 'somebody@else.test',
  })
  const { data } = await as.ada(messages.list, { query: { conversation_id: id } })
  expect(data[0]).toMatchObject({ body: 'By mail.', customer_id: world.carla.customer_id })
  expect(data[0]!.metadata).toMatchObject({ mail_sender: { address: 'somebody@else.test' } })
  const forged = `${to.slice(0, 6)}${to.slice(6, 32)}aaaaaaaaaa@in.acme.test`
  const answer = await relayMail(server, writeMail({ to: forged, text: 'Let me in.' }), { to: forged })
  expect(answer.status).toBe(406)
})

test('an address without a signature, as in old mails of another product, joins the conversation of its customer alone', async ({
  as,
  receive,
  threads,
  world,
}) => {
  const customer_id = world.carla.customer_id
  const { id } = (await as.carla(conversations.create, { body: { conversation: { customer_id } } })).data
  const to = `reply+${id}@mail.old.test`
  await receive({ to, text: 'Still here?', from: 'Carla <carla@customer.test>', sender: 'carla@customer.test' })
  await receive({ to, text: 'Let me in.', from: 'stranger@else.test', sender: 'stranger@else.test' })
  const { data } = await as.ada(messages.list, { query: { conversation_id: id } })
  expect(data.map(({ body }) => body)).toEqual(['Still here?'])
  expect((await threads('stranger@else.test'))[0]!.messages[0]!.body).toBe('Let me in.')
})

test('a mail that claims to be from the team without proof becomes a note', async ({ as, receive, server, world }) => {
  const { id } = (
    await as.carla(conversations.create, { body: { conversation: { customer_id: world.carla.customer_id } } })
  ).data
  await receive({ to: replyAddress(server.context.config, id)!, text: 'Give them the money.', from: world.ben.email })
  const { data } = await as.ada(messages.list, { query: { conversation_id: id } })
  expect(data[0]).toMatchObject({ private: true, type: 'bot', user_id: null })
  expect(data[0]!.body).toContain('nothing proves')
})

test('an automatic reply is a silent note in its conversation, and ignored otherwise', async ({
  as,
  receive,
  server,
  world,
  forwarding,
  threads,
}) => {
  const { id } = (
    await as.carla(conversations.create, { body: { conversation: { customer_id: world.carla.customer_id } } })
  ).data
  await as.ada(conversations.update, { params: { id }, body: { conversation: { status: 'closed', read: true } } })
  const headers = { 'Auto-Submitted': 'auto-replied' }
  await receive({ to: replyAddress(server.context.config, id)!, text: 'I am away.', headers })
  const { data } = await as.ada(conversations.get, { params: { id } })
  expect(data).toMatchObject({ status: 'closed', read: true })
  expect(data.messages.at(-1)).toMatchObject({ private: true, type: 'bot' })
  await receive({ to: forwarding.forwarding_email_address, text: 'I am away.', headers, from: 'vacation@example.org' })
  expect(await threads('vacation@example.org')).toHaveLength(0)
})

test('a newsletter is ignored with its reason, until an admin turns it into a conversation', async ({
  as,
  receive,
  forwarding,
  threads,
  server,
}) => {
  const headers = { 'List-Id': '<news.shop.test>' }
  await receive({ to: forwarding.forwarding_email_address, text: 'Only today.', from: 'news@shop.test', headers })
  expect(await threads('news@shop.test')).toHaveLength(0)
  const { data } = await as.ada(integrations.inboundEvents, { query: { state: 'ignored' } })
  const ignored = data.find(({ reason }) => reason?.includes('list-id'))!
  await as.ada(integrations.retryInbound, { params: { id: ignored.id } })
  await allProcessed(server)
  expect(await threads('news@shop.test')).toHaveLength(1)
})

test('the eleventh mail of a sender within ten minutes is held back, unless it belongs to an open conversation', async ({
  receive,
  forwarding,
  threads,
  as,
}) => {
  const to = forwarding.forwarding_email_address
  const from = 'flood@example.org'
  for (let i = 0; i < 12; i++)
    await receive({ to, text: `Number ${i}`, from, headers: { 'Message-ID': `<n${i}@x.org>` } })
  expect(await threads(from)).toHaveLength(10)
  await receive({ to, text: 'One more thing.', from, headers: { 'In-Reply-To': '<n3@x.org>' } })
  const [conversation] = await threads(from)
  const bodies = async () => {
    const { data } = await as.ada(messages.list, { query: { conversation_id: conversation!.id } as never })
    return data.map(({ body }) => body)
  }
  expect(await bodies(), 'the one with the latest message').toEqual(
    expect.arrayContaining(['Number 3', 'One more thing.']),
  )
  await as.ada(conversations.update, { params: conversation!, body: { conversation: { status: 'closed' } } })
  await receive({ to, text: 'And another.', from, headers: { 'In-Reply-To': '<n3@x.org>' } })
  expect(await bodies()).toHaveLength(2)
})

test('a mail that only claims to come from a mail service shows admins no link of its writer', async ({
  receive,
  forwarding,
  as,
}) => {
  const from = 'forwarding-noreply@google.com'
  const text = 'Confirm: https://mail.google.com/mail/vf-forged and https://mail.google.com/mail/u/0/?evil (#12345678)'
  await receive({ to: forwarding.forwarding_email_address, text, from, sender: from })
  const { data } = await as.ada(forwardingAddresses.get, { params: { id: forwarding.id } })
  expect(data.confirmation).toMatchObject({ from, link: null })
})

test('two concurrent mails of a new sender create one customer', async ({ as, receive, forwarding }) => {
  const to = forwarding.forwarding_email_address
  await Promise.all([1, 2, 3, 4].map((i) => receive({ to, text: `Number ${i}`, from: 'twice@example.org' })))
  const { data } = await as.ada(customerProfiles.list, { query: { q: 'twice@example.org' } })
  expect(data).toHaveLength(1)
})

test('files are attached, and pictures are where the mail has them', async ({ server, forwarding, threads, as }) => {
  const raw = [
    'From: pictures@example.org',
    `To: ${forwarding.forwarding_email_address}`,
    'Subject: A cup',
    'Message-ID: <cup@example.org>',
    'Content-Type: multipart/related; boundary=rel',
    '',
    '--rel',
    'Content-Type: text/html; charset=utf-8',
    '',
    '<p>Broken: <img src="cid:cup@example.org"></p>',
    '--rel',
    'Content-Type: image/png; name="cup.png"',
    'Content-ID: <cup@example.org>',
    'Content-Transfer-Encoding: base64',
    '',
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    '--rel--',
    '',
  ].join('\r\n')
  expect((await relayMail(server, raw, { to: forwarding.forwarding_email_address })).status).toBe(200)
  await allProcessed(server)
  const [conversation] = await threads('pictures@example.org')
  const { data } = await as.ada(messages.list, { query: { conversation_id: conversation!.id } })
  const { attachments, email_html } = data[0]!
  expect(attachments).toMatchObject([{ filename: 'cup.png' }])
  expect(email_html).toContain(attachments[0]!.file_url)
  const mail = await as.ben(messageMails.get, { params: { id: data[0]!.id } })
  expect(mail.data).toMatchObject({ subject: 'A cup', from_address: 'pictures@example.org', proof: 'none' })
  await expect(as.olga(messageMails.get, { params: { id: data[0]!.id } })).rejects.toThrow('Not found')
})

test('relays deliver the raw mail by form or JSON, in any charset', async ({ server, forwarding, threads }) => {
  const to = forwarding.forwarding_email_address
  const address = `${server.url}/api/inbound_mail/${encodeURIComponent(RELAY_KEY)}`
  const latin1 = (from: string) =>
    Buffer.from(
      writeMail({ to, from, text: 'Café', headers: { 'Content-Type': 'text/plain; charset=iso-8859-1' } }),
      'latin1',
    )
  const form = (name: string, bytes: Buffer, others: Record<string, string>) => {
    const fields = Object.entries(others).map(([key, value]) => part(key, Buffer.from(value)))
    const body = Buffer.concat([part(name, bytes), ...fields, Buffer.from('--form--\r\n')])
    return fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=form' },
      body: new Uint8Array(body),
    })
  }
  const sent = await Promise.all([
    form('body-mime', latin1('mailgun@example.org'), { recipient: to, sender: 'mailgun@example.org' }),
    form('email', latin1('sendgrid@example.org'), {
      envelope: JSON.stringify({ to: [to], from: 'sendgrid@example.org' }),
    }),
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        RawEmail: writeMail({
          to,
          from: 'postmark@example.org',
          text: 'Café',
          headers: { 'Content-Type': 'text/plain; charset=utf-8' },
        }),
        OriginalRecipient: to,
      }),
    }),
  ])
  expect(sent.map(({ status }) => status)).toEqual([200, 200, 200])
  await allProcessed(server)
  for (const relay of ['mailgun', 'sendgrid', 'postmark']) {
    const [thread] = await threads(`${relay}@example.org`)
    expect(thread?.messages[0]?.body).toBe('Café')
  }
})

function part(name: string, bytes: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`--form\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ])
}

test('without the key no mail can be delivered', async ({ server, forwarding }) => {
  const to = forwarding.forwarding_email_address
  expect((await relayMail(server, writeMail({ to, text: 'Hello' }), { to }, 'a key that was guessed')).status).toBe(401)
})

test('a mail with 10,000 parts and one without a local recipient are refused for good', async ({
  server,
  forwarding,
}) => {
  const parts = `--b\r\nContent-Type: text/plain\r\n\r\nx\r\n`.repeat(10_000)
  const to = forwarding.forwarding_email_address
  const raw = writeMail({ to, text: `${parts}--b--`, headers: { 'Content-Type': 'multipart/mixed; boundary=b' } })
  expect((await relayMail(server, raw, {})).status).toBe(406)
  expect((await relayMail(server, writeMail({ to: 'x@acme.test', text: 'Hi' }), { to: 'x@acme.test' })).status).toBe(
    406,
  )
})

test('admins can download the original of a mail that became no message', async ({ as, server, forwarding, world }) => {
  const address = forwarding.forwarding_email_address
  const raw = writeMail({ to: address, text: 'Only today.', headers: { Precedence: 'bulk' } })
  expect((await relayMail(server, raw, { to: address })).status).toBe(200)
  await allProcessed(server)
  const { data } = await as.ada(integrations.inboundEvents, { query: { state: 'ignored' } })
  const { id, has_original } = data.find(({ reason }) => reason?.includes('Precedence'))!
  expect(has_original).toBe(true)
  const answer = await server.request('GET', `/api/inbound_events/${id}/original`, { token: world.ada.token })
  expect(answer.headers).toMatchObject({
    'content-type': 'message/rfc822',
    'content-disposition': `attachment; filename="mail-${id}.eml"`,
  })
  expect(answer.body).toBe(raw)
  await expect(as.olga(integrations.inboundOriginal, { params: { id } })).rejects.toMatchObject({ status: 404 })
  await expect(as.ben(integrations.inboundOriginal, { params: { id } })).rejects.toMatchObject({ status: 401 })
})
