import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { afterAll, beforeAll, vi } from 'vitest'
import { deliveries } from '#contract/connections/deliveries.ts'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { customers } from '#contract/customers/customers.ts'
import { mailbox } from '#contract/integrations/mailbox.ts'
import { mails } from '#contract/mail/mails.ts'
import {
  type ImapServer,
  MAILBOX_PASSWORD,
  MAILBOX_USER,
  plainMail,
  startImapServer,
} from '#tests/emulators/imap-server.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { sendNow } from '#tests/support/pass-time.ts'
import { startTestServer } from '#tests/support/server.ts'
import type { World } from '#tests/support/world.ts'
import { explain } from './client.ts'

const test = base.extend('env', { scope: 'file' }, { REACHABLE_HOSTS: '127.0.0.1' })

const TIMEOUT = { timeout: 40_000, interval: 100 }
let imap: ImapServer
let smtp: MailServer
beforeAll(async () => {
  ;[imap, smtp] = await Promise.all([startImapServer(), startMailServer()])
})
afterAll(() => Promise.all([imap.close(), smtp.close()]))
test.afterEach(async ({ as }) => {
  imap.acceptLines()
  imap.changePassword(MAILBOX_PASSWORD)
  for (const { id } of (await as.ada(integrations.list)).data) {
    await as.ada(integrations.remove, { params: { id }, query: { discard: 'true' } })
  }
})

const draft = (world: World, more: object = {}) => ({
  inbox_id: world.billing.id,
  address: MAILBOX_USER,
  password: MAILBOX_PASSWORD,
  imap_host: '127.0.0.1',
  imap_port: imap.port,
  imap_security: 'none' as const,
  smtp_host: '127.0.0.1',
  smtp_port: Number(new URL(smtp.url).port),
  smtp_security: 'none' as const,
  ...more,
})
const connect = async (as: Callers, world: World, more: object = {}) =>
  (await as.ada(mailbox.connect, { body: { authorization: draft(world, more) } })).data.id

/** The conversations started by mails with this subject. */
const about = async (as: Callers, subject: string) =>
  (await as.ben(conversations.list, { query: { limit: 50 } as never })).data.filter(
    (conversation) => conversation.subject === subject,
  )
async function bodiesAbout(as: Callers, subject: string) {
  const [conversation] = await about(as, subject)
  if (!conversation) return []
  const { data } = await as.ben(messages.list, { query: { conversation_id: conversation.id } as never })
  return data.map(({ body }: { body: string | null }) => body).sort()
}
const write = (subject: string, text: string, more: object = {}) =>
  imap.deliverMail(plainMail({ from: `Nora <${senderOf(subject)}>`, subject, text, ...more }))
/** A sender of its own, because more than ten mails of one sender would be held back. */
const senderOf = (subject: string) => `${subject.replace(/^Re: /, '').replaceAll(' ', '.').toLowerCase()}@customer.test`

test('a mailbox is connected after testing both IMAP and SMTP, and shows no password', async ({ as, world }) => {
  const refused = (more: object) => as.ada(mailbox.connect, { body: { authorization: draft(world, more) } })
  await expect(refused({ password: 'wrong' })).rejects.toThrow('127.0.0.1 refused the user name or the password.')
  await expect(refused({ smtp_port: 9 })).rejects.toThrow('127.0.0.1 cannot be reached.')
  for (const host of [{ imap_host: 'mail.nowhere.invalid' }, { smtp_host: 'mail.nowhere.invalid' }])
    await expect(refused(host)).rejects.toMatchObject({
      status: 422,
      message: expect.stringMatching(/^There is no server named mail\.nowhere\.invalid\./),
    })
  await expect(refused({ imap_port: 9, imap_security: 'tls' })).rejects.toThrow('Nothing listens on this port')
  for (const server of [{ imap_security: 'tls' }, { smtp_security: 'tls' }])
    await expect(refused(server)).rejects.toThrow('does not speak TLS on this port. Choose STARTTLS')
  for (const server of [{ imap_security: 'starttls' }, { smtp_security: 'starttls' }])
    await expect(refused(server)).rejects.toThrow('offers no STARTTLS on this port. Choose TLS')
  await expect(refused({ imap_host: '10.0.0.1' })).rejects.toThrow('is a private address')
  await expect(refused({ folder: 'Nowhere' })).rejects.toThrow('The mailbox has no folder named Nowhere.')
  const id = await connect(as, world)
  const { data } = await as.ada(mailbox.get, { query: { inbox_id: world.billing.id } })
  expect(data).toMatchObject({ id, address: MAILBOX_USER, password: '••••', folder: 'INBOX', sent_folder: 'Sent' })
  expect((await as.ada(mailbox.folders, { params: { id } })).data).toEqual(expect.arrayContaining(['INBOX', 'Archive']))
  expect((await as.ada(mailbox.get, { query: { inbox_id: world.website.id } })).data).toBeNull()
  expect((await as.olga(mailbox.get, { query: { inbox_id: world.billing.id } })).data).toBeNull()
  await expect(as.olga(mailbox.remove, { params: { id } })).rejects.toMatchObject({ status: 404 })
  await expect(as.ben(mailbox.connect, { body: { authorization: draft(world) } })).rejects.toThrow(
    'Unauthorized access',
  )
  // A masked password keeps the stored one, and is sent to no other server.
  expect(await connect(as, world, { password: data!.password, marks_read: true })).toBe(id)
  await expect(refused({ password: data!.password, smtp_host: 'localhost' })).rejects.toMatchObject({
    errors: { password: ['must be entered again for another server'] },
  })
})

test('a server that speaks another protocol, or speaks without end, is refused with a sentence', async ({
  as,
  world,
}) => {
  const refused = (more: object) => as.ada(mailbox.connect, { body: { authorization: draft(world, more) } })
  const folder = await mkdtemp(join(tmpdir(), 'parley-imap-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
      ...['-subj', '/CN=mail.acme.test', '-keyout', key, '-out', cert],
    ],
    { stdio: 'ignore' },
  )
  const secure = createTlsServer({ key: await readFile(key), cert: await readFile(cert) })
  secure.on('tlsClientError', () => undefined)
  const flood = createServer((socket) => {
    const lines = '* OK still here\r\n'.repeat(1_000)
    const write = () => {
      while (socket.writable && socket.write(lines));
    }
    socket.on('error', () => undefined).on('drain', write)
    write()
  })
  const [securePort, floodPort] = await Promise.all([secure, flood].map(portOf))
  for (const server of [
    { imap_port: securePort, imap_security: 'tls' },
    { smtp_port: securePort, smtp_security: 'tls' },
  ])
    await expect(refused(server)).rejects.toThrow('The certificate of 127.0.0.1 is not valid.')
  await expect(refused({ imap_port: floodPort })).rejects.toThrow('does not behave like a mail server')
  // Such a port says nothing until the time for the greeting is over, which would take long here.
  for (const silence of [{ code: 'GREETING_TIMEOUT' }, { code: 'ETIMEDOUT', message: 'Greeting never received' }])
    expect(explain(Object.assign(new Error(), silence), 'h').message).toContain('If this port expects TLS, choose TLS.')
  secure.close()
  flood.close()
}, 60_000)

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

test('incoming mail becomes a conversation of its inbox at once, and a reply joins it', async ({ as, world }) => {
  write('Before', 'was there before it was connected')
  const id = await connect(as, world, { marks_read: true })
  write('Hello', 'Is the oak desk still there?', { id: 'first' })
  await vi.waitFor(
    async () => expect(await about(as, 'Hello')).toMatchObject([{ inbox_id: world.billing.id, source: 'email' }]),
    TIMEOUT,
  )
  write('Re: Hello', 'I would fetch it on Friday.', { answers: '<first@customer.test>' })
  await vi.waitFor(async () => expect(await bodiesAbout(as, 'Hello')).toHaveLength(2), TIMEOUT)
  expect(await about(as, 'Before')).toEqual([])
  await vi.waitFor(
    () => expect(imap.folder().at(-1)?.flags).toEqual(expect.arrayContaining(['$ParleyTaken', '\\Seen'])),
    TIMEOUT,
  )
  expect((await as.ada(integrations.list)).data).toMatchObject([{ id, state: 'connected', problem: null }])
})

test('if the watched folder is deleted, the connection says which', async ({ as, world }) => {
  await connect(as, world, { folder: 'Archive' })
  await vi.waitFor(() => expect(imap.openLines()).toBe(1), TIMEOUT)
  imap.deleteFolder('Archive')
  imap.cutLines()
  await vi.waitFor(
    async () =>
      expect((await as.ada(integrations.list)).data).toMatchObject([
        { problem: 'The mailbox has no folder named Archive any more. Choose another one.' },
      ]),
    TIMEOUT,
  )
})

test('mails of the previous week are imported if requested', async ({ as, world }) => {
  write('Older', 'of the days before')
  await connect(as, world, { since_days: 7 })
  await vi.waitFor(async () => expect(await about(as, 'Older')).toHaveLength(1), TIMEOUT)
})

test('a lost connection is reopened, and mails received meanwhile are imported once', async ({ as, world }) => {
  await connect(as, world)
  await vi.waitFor(() => expect(imap.openLines()).toBe(1), TIMEOUT)
  imap.refuseLines()
  write('Meanwhile', 'while the line was cut')
  await vi.waitFor(
    async () => expect((await as.ada(integrations.list)).data[0]?.problem).toContain('cannot be reached'),
    TIMEOUT,
  )
  imap.acceptLines()
  await vi.waitFor(async () => expect(await about(as, 'Meanwhile')).toHaveLength(1), TIMEOUT)
  imap.cutLines()
  write('Meanwhile too', 'cut again')
  await vi.waitFor(async () => expect(await about(as, 'Meanwhile too')).toHaveLength(1), TIMEOUT)
  expect(await bodiesAbout(as, 'Meanwhile')).toHaveLength(1)
  await vi.waitFor(async () => expect((await as.ada(integrations.list)).data[0]?.problem).toBeNull(), TIMEOUT)
})

test('a mail that arrives while others are read after a reconnect is imported at once', async ({ as, world }) => {
  await connect(as, world)
  await vi.waitFor(() => expect(imap.openLines()).toBe(1), TIMEOUT)
  imap.refuseLines()
  write('First of two', 'while the line was cut')
  imap.beforeFetch(() => write('Second of two', 'while the first was read'))
  imap.acceptLines()
  // Without being told, the mailbox would be read a minute later.
  await vi.waitFor(async () => expect(await about(as, 'Second of two')).toHaveLength(1), TIMEOUT)
  expect(await bodiesAbout(as, 'First of two')).toHaveLength(1)
})

test('after a change of UIDVALIDITY, mails of the last days are read again without duplicates', async ({
  as,
  world,
}) => {
  await connect(as, world)
  write('Known', 'before the numbers count anew')
  await vi.waitFor(async () => expect(await about(as, 'Known')).toHaveLength(1), TIMEOUT)
  imap.refuseLines()
  imap.renumber()
  write('Unknown', 'after it')
  imap.acceptLines()
  await vi.waitFor(async () => expect(await about(as, 'Unknown')).toHaveLength(1), TIMEOUT)
  expect(await bodiesAbout(as, 'Known')).toHaveLength(1)
})

test('an invalid password breaks the connection, and nothing is lost meanwhile', async ({ as, world }) => {
  const id = await connect(as, world)
  await vi.waitFor(() => expect(imap.openLines()).toBe(1), TIMEOUT)
  imap.changePassword('another')
  imap.cutLines()
  await vi.waitFor(
    async () => expect((await as.ada(integrations.list)).data).toMatchObject([{ id, state: 'broken' }]),
    TIMEOUT,
  )
  expect((await as.ada(mails.list)).data.map(({ kind }) => kind)).toContain('integration_broken')
  write('While broken', 'arrived while nobody read')
  await connect(as, world, { password: 'another' })
  await vi.waitFor(async () => expect(await about(as, 'While broken')).toHaveLength(1), TIMEOUT)
})

test('replies of the team are sent through the mailbox in order, and stored in its sent folder', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  write('Order', 'Where is my desk?', { id: 'order' })
  await vi.waitFor(async () => expect(await about(as, 'Order')).toHaveLength(1), TIMEOUT)
  const [conversation] = await about(as, 'Order')
  const answer = (body: string) =>
    as.ben(messages.create, { body: { message: { conversation_id: conversation!.id, body } } as never })
  smtp.refuseWith(451)
  const { data: order } = await answer('It is on its way.')
  const { data: arrival } = await answer('It arrives on Friday.')
  for (const { id } of [order, arrival]) await sendNow(server, id)
  await vi.waitFor(async () => {
    const { data } = await as.ben(deliveries.ofConversation, { params: { conversation_id: conversation!.id } })
    expect(data.at(-1)).toMatchObject({ integration: 'mailbox', state: 'waiting' })
    expect(data.at(-1)?.problem).toContain('The mail server did not accept it')
  }, TIMEOUT)
  smtp.refuseWith(undefined)
  const { data: waiting } = await as.ben(deliveries.ofConversation, { params: { conversation_id: conversation!.id } })
  for (const { id } of waiting) await as.ben(deliveries.retry, { params: { id } })
  await vi.waitFor(async () => {
    const { data } = await as.ben(deliveries.ofConversation, { params: { conversation_id: conversation!.id } })
    expect(data.map(({ state }) => state)).toEqual(['sent', 'sent'])
  }, TIMEOUT)
  expect(smtp.mails.map(({ text }) => text?.split('\n')[0])).toEqual(['It is on its way.', 'It arrives on Friday.'])
  const [first] = smtp.mails
  expect(first).toMatchObject({
    subject: 'Re: Order',
    inReplyTo: '<order@customer.test>',
    from: { address: MAILBOX_USER },
  })
  expect(first?.to).toMatchObject([{ address: senderOf('Order') }])
  await vi.waitFor(() => expect(imap.folder('Sent')).toHaveLength(2), TIMEOUT)
  expect(await bodiesAbout(as, 'Order')).toHaveLength(3)
})

test('a conversation can be started through the mailbox of its inbox, and is refused without one', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const customer = { account_id: world.acme.id, name: 'Ines', email: 'ines@customer.test' }
  const { id: customer_id } = (await as.ada(customers.create, { body: { customer } })).data
  const begin = (inbox_id: string) =>
    as.ada(conversations.create, {
      body: {
        conversation: { inbox_id, customer_id, source: 'email', subject: 'Invoice', message: { body: 'Here it is.' } },
      },
    })
  await expect(begin(world.website.id)).rejects.toThrow('Missing Gmail integration')
  const { data: begun } = await begin(world.billing.id)
  await sendNow(server, begun.id)
  const mail = await smtp.receive('ines@customer.test')
  expect(mail).toMatchObject({ subject: 'Invoice', from: { address: MAILBOX_USER } })
})

test('a reply written in another mail program joins its conversation and is not sent again', async ({ as, world }) => {
  await connect(as, world)
  write('Elsewhere', 'Do you open on Sunday?', { id: 'elsewhere' })
  await vi.waitFor(async () => expect(await about(as, 'Elsewhere')).toHaveLength(1), TIMEOUT)
  const sent = smtp.mails.length
  const answer = {
    from: MAILBOX_USER,
    subject: 'Re: Elsewhere',
    text: 'From ten to two.',
    answers: '<elsewhere@customer.test>',
  }
  imap.deliverMail(plainMail(answer), 'Sent')
  // The connection checks that folder on events, and each minute.
  write('Something else', 'that makes it look')
  await vi.waitFor(async () => expect(await bodiesAbout(as, 'Elsewhere')).toContain('From ten to two.'), TIMEOUT)
  const [conversation] = await about(as, 'Elsewhere')
  const { data } = await as.ben(deliveries.ofConversation, { params: { conversation_id: conversation!.id } })
  expect(data).toEqual([])
  expect(smtp.mails).toHaveLength(sent)
})

test('one of two servers holds the connection, and the other takes over', async ({ as, server, world }) => {
  const second = await startTestServer({ REACHABLE_HOSTS: '127.0.0.1' }, undefined, server.database)
  try {
    await connect(as, world)
    write('Read by the first', 'over its connection')
    await vi.waitFor(async () => expect(await about(as, 'Read by the first')).toHaveLength(1), TIMEOUT)
    // The connection that checked the password may still be closing.
    await vi.waitFor(() => expect(imap.openLines()).toBe(1), TIMEOUT)
    const opened = imap.linesOpened()
    await second.context.liveConnections.reconcile()
    expect(imap.linesOpened()).toBe(opened)
    // As if the first server had died without releasing anything.
    await server.context.db
      .updateTable('leases')
      .set({ held_until: new Date(0).toISOString() })
      .execute()
    await second.context.liveConnections.reconcile()
    await server.context.liveConnections.reconcile()
    await vi.waitFor(() => expect([imap.linesOpened(), imap.openLines()]).toEqual([opened + 1, 1]), TIMEOUT)
    write('Taken over', 'read by the other one')
    await vi.waitFor(async () => expect(await about(as, 'Taken over')).toHaveLength(1), TIMEOUT)
  } finally {
    await second.close()
  }
})

test('the test sends a mail to the mailbox itself and waits for it, and starts no conversation', async ({
  as,
  world,
}) => {
  const id = await connect(as, world)
  const passed = as.ada(integrations.test, { params: { id } })
  const mail = await smtp.receive(MAILBOX_USER)
  const { raw } = smtp.envelopes.findLast(({ to }) => to.includes(MAILBOX_USER))!
  imap.deliverMail(raw.toString('latin1'))
  expect((await passed).data).toMatchObject({ problem: null })
  const ignored = { query: { authorization_id: id, state: 'ignored' as const } }
  await vi.waitFor(async () => {
    const [newest] = (await as.ada(integrations.inboundEvents, ignored)).data
    expect(newest?.reason).toContain('sent by Parley itself')
  }, TIMEOUT)
  expect(await about(as, mail.subject!)).toEqual([])
  imap.changePassword('another')
  await expect(as.ada(integrations.test, { params: { id } })).rejects.toThrow('refused the user name or the password')
})

test('deliveries that waited for more than a day are sent only after confirmation, in order', async ({
  as,
  server,
  world,
}) => {
  const id = await connect(as, world)
  write('Held', 'Where is my lamp?')
  await vi.waitFor(async () => expect(await about(as, 'Held')).toHaveLength(1), TIMEOUT)
  const [conversation] = await about(as, 'Held')
  const answer = async (body: string) => {
    const message = { conversation_id: conversation!.id, body }
    await sendNow(server, (await as.ben(messages.create, { body: { message } })).data.id)
  }
  const waitsSinceLong = () =>
    server.context.db
      .updateTable('deliveries')
      .set({ begun_at: new Date(Date.now() - 2 * 86_400_000).toISOString() })
      .where('authorization_id', '=', id)
      .where('state', '=', 'waiting')
      .execute()
  const held = async () => (await as.ada(integrations.list)).data[0]?.held_count
  const waiting = async () =>
    (await as.ada(deliveries.list, { query: { authorization_id: id, state: 'waiting' } })).data
  for (const action of ['discard', 'send'] as const) {
    imap.changePassword('another')
    imap.cutLines()
    await vi.waitFor(async () => expect((await as.ada(integrations.list)).data[0]?.state).toBe('broken'), TIMEOUT)
    await answer(`First, then ${action}`)
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), TIMEOUT)
    await waitsSinceLong()
    await connect(as, world, { password: 'another' })
    imap.changePassword('another')
    expect(await held()).toBe(1)
    await answer(`Second, then ${action}`)
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(2), TIMEOUT)
    expect((await waiting()).at(-1)).toMatchObject({
      next_try_at: null,
      problem: expect.stringContaining('more than a day'),
    })
    await expect(as.olga(deliveries.settleHeld, { params: { id }, body: { action } })).rejects.toMatchObject({
      status: 404,
    })
    expect((await as.ada(deliveries.settleHeld, { params: { id }, body: { action } })).count).toBe(1)
    await vi.waitFor(async () => expect(await waiting()).toEqual([]), TIMEOUT)
    imap.changePassword(MAILBOX_PASSWORD)
    await connect(as, world)
  }
  const texts = smtp.mails
    .map(({ text }) => /(First|Second), then (discard|send)/.exec(text ?? '')?.[0])
    .filter(Boolean)
  expect(texts).toEqual(['Second, then discard', 'First, then send', 'Second, then send'])
})

test('replies by mail wait for a disconnected mailbox, and leave in order once it is connected again', async ({
  as,
  world,
}) => {
  const id = await connect(as, world)
  write('Left alone', 'Where is my desk?')
  await vi.waitFor(async () => expect(await about(as, 'Left alone')).toHaveLength(1), TIMEOUT)
  const conversation_id = (await about(as, 'Left alone'))[0]!.id
  await as.ada(integrations.remove, { params: { id } })
  const problem = 'The mailbox is disconnected. Reconnect it under Integrations → Mailbox.'
  expect((await as.ben(deliveries.channel, { params: { conversation_id } })).data).toMatchObject({
    problem,
    waits: true,
  })
  for (const body of ['one', 'two'])
    await as.ben(messages.create, { body: { message: { conversation_id, body } } as never })
  const list = async () => (await as.ben(deliveries.ofConversation, { params: { conversation_id } })).data.toReversed()
  const waiting = { state: 'waiting', problem }
  await vi.waitFor(async () => expect(await list()).toMatchObject([waiting, waiting]), TIMEOUT)
  expect(await connect(as, world)).toBe(id)
  await vi.waitFor(async () => expect((await list()).map(({ state }) => state)).toEqual(['sent', 'sent']), TIMEOUT)
  const sent = smtp.envelopes.filter(({ to }) => to.includes(senderOf('Left alone')))
  expect(sent.map(({ raw }) => /^(one|two)\r?$/m.exec(raw.toString())?.[1])).toEqual(['one', 'two'])
})

test('if integrations are off, nothing is connected and nothing is read', async ({ server, world }) => {
  const off = await startTestServer({ REACHABLE_HOSTS: '127.0.0.1', INTEGRATIONS: 'off' }, undefined, server.database)
  try {
    const { status, body } = await off.request('POST', '/api/mailbox/auth', {
      token: world.ada.token,
      body: { authorization: draft(world) },
    })
    expect(status).toBe(409)
    expect(body.error.message).toContain('Integrations are switched off')
    await vi.waitFor(() => expect(imap.openLines()).toBe(0), TIMEOUT)
    await off.context.liveConnections.reconcile()
    expect(imap.openLines()).toBe(0)
  } finally {
    await off.close()
  }
})

test('a reply is sent although no copy of it can be stored, and the connection says why', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world, { watches_sent: false })
  write('Copies', 'Do you keep copies?', { id: 'copies' })
  await vi.waitFor(async () => expect(await about(as, 'Copies')).toHaveLength(1), TIMEOUT)
  const [conversation] = await about(as, 'Copies')
  imap.deleteFolder('Sent')
  const body = { message: { conversation_id: conversation!.id, body: 'Yes, mostly.' } } as never
  const { data } = await as.ben(messages.create, { body })
  await sendNow(server, data.id)
  await vi.waitFor(async () => {
    const [connected] = (await as.ada(integrations.list)).data
    expect(connected).toMatchObject({ state: 'connected', problem: null })
    expect(connected?.notice).toContain('no copy of them reaches the folder Sent')
  }, TIMEOUT)
  expect(smtp.mails.map(({ text }) => text?.split('\n')[0])).toContain('Yes, mostly.')
})
