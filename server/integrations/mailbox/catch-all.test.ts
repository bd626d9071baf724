import { afterAll, vi } from 'vitest'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { forwardingAddresses } from '#contract/mail/forwarding-addresses.ts'
import { replyAddress } from '#server/features/mail/conversation-mails/own-addresses.ts'
import { MAILBOX_PASSWORD, MAILBOX_USER, startImapServer } from '#tests/emulators/imap-server.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import { allProcessed, writeMail } from '#tests/support/incoming-mail.ts'
import { startTestServer } from '#tests/support/server.ts'

const imap = await startImapServer()
afterAll(() => imap.close())

const TIMEOUT = { timeout: 40_000, interval: 100 }
const user = encodeURIComponent(MAILBOX_USER)
const env = {
  MAIL_IN_DOMAIN: 'in.acme.test',
  MAIL_IN_IMAP_URL: `imap://${user}:${encodeURIComponent(MAILBOX_PASSWORD)}@127.0.0.1:${imap.port}`,
}
const test = base.extend('env', { scope: 'file' }, env)
test.beforeEach(({ server: _ }) => vi.waitFor(() => expect(imap.openLines()).toBe(1), TIMEOUT))

type Caller = Callers['ada']
const forwardingOf = async (caller: Caller) =>
  (
    await caller(forwardingAddresses.create, {
      body: { forwarding_address: { source_email_address: 'support@acme.test' } },
    })
  ).data.forwarding_email_address
const threadsOf = async (caller: Caller, customer: string) =>
  (await caller(conversations.list, { query: { source: 'email' } })).data.filter(
    (conversation) => conversation.customer.email === customer,
  )

/** A mail as stored in a mailbox: the server's headers above those of the sender. */
const lying = (server: Record<string, string>, draft: Parameters<typeof writeMail>[0]) =>
  `${Object.entries(server)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}Received: from mx.customer.test by mx.acme.test; ${new Date().toUTCString()}\r\n${writeMail(draft)}`

test('a mail in the catch-all mailbox belongs to the address its server delivered it to, whatever its headers', async ({
  as,
  server,
}) => {
  const [ours, others] = await Promise.all([forwardingOf(as.ada), forwardingOf(as.olga)])
  const draft = { to: others, from: 'Nora <nora@customer.test>', text: 'Hello', headers: { 'Delivered-To': others } }
  imap.deliverMail(lying({ 'Return-Path': '<nora@customer.test>', 'Delivered-To': ours }, draft))
  await vi.waitFor(async () => expect(await threadsOf(as.ada, 'nora@customer.test')).toHaveLength(1), TIMEOUT)
  expect(await threadsOf(as.olga, 'nora@customer.test')).toEqual([])
  await vi.waitFor(() => expect(imap.folder().at(-1)?.flags).toContain('$ParleyTaken'), TIMEOUT)
  // If the server's headers do not name one of our addresses, the others count.
  for (const [customer, notes] of [
    ['ines', { 'Delivered-To': MAILBOX_USER, 'X-Original-To': ours }],
    ['omar', { Received: `from a by b with ESMTPS for <${ours}>; Monday` }],
    ['vera', { 'Delivered-To': MAILBOX_USER }],
  ] as const) {
    const to = customer === 'vera' ? ours : 'support@acme.test'
    imap.deliverMail(lying(notes, { to, from: `${customer}@customer.test`, text: 'Hello' }))
    await vi.waitFor(async () => expect(await threadsOf(as.ada, `${customer}@customer.test`)).toHaveLength(1), TIMEOUT)
  }
  await allProcessed(server)
})

test('a reply to a signed address joins its conversation', async ({ as, server, world }) => {
  const { id } = (
    await as.carla(conversations.create, { body: { conversation: { customer_id: world.carla.customer_id } } })
  ).data
  const to = replyAddress(server.context.config, id)!
  imap.deliverMail(lying({ 'Delivered-To': to }, { to, from: 'carla@customer.test', text: 'By mail.' }))
  const bodies = async () =>
    (await as.ada(messages.list, { query: { conversation_id: id } })).data.map(({ body }) => body)
  await vi.waitFor(async () => expect(await bodies()).toEqual(['By mail.']), TIMEOUT)
})

test('a mail to no address of the installation stays in the mailbox, and delays nothing', async ({ as }) => {
  const ours = await forwardingOf(as.ada)
  imap.deliverMail(
    lying({ 'Delivered-To': MAILBOX_USER }, { to: MAILBOX_USER, from: 'spam@customer.test', text: 'Buy' }),
  )
  const { uid } = imap.folder().at(-1)!
  imap.deliverMail(lying({ 'Delivered-To': ours }, { to: ours, from: 'later@customer.test', text: 'Hello' }))
  await vi.waitFor(async () => expect(await threadsOf(as.ada, 'later@customer.test')).toHaveLength(1), TIMEOUT)
  expect(imap.folder().find((mail) => mail.uid === uid)?.flags).not.toContain('$ParleyTaken')
})

test('a lost connection is reopened, and mails received meanwhile are imported once', async ({ as, server }) => {
  const ours = await forwardingOf(as.ada)
  const write = (from: string) => imap.deliverMail(lying({ 'Delivered-To': ours }, { to: ours, from, text: 'Hello' }))
  const problem = async () => (await as.ada(forwardingAddresses.list)).receiving_problem
  write('before@customer.test')
  await vi.waitFor(async () => expect(await threadsOf(as.ada, 'before@customer.test')).toHaveLength(1), TIMEOUT)
  imap.changePassword('another')
  imap.cutLines()
  await vi.waitFor(async () => expect(await problem()).toContain('refused the user name or the password'), TIMEOUT)
  write('meanwhile@customer.test')
  imap.renumber()
  imap.changePassword(MAILBOX_PASSWORD)
  await vi.waitFor(async () => expect(await threadsOf(as.ada, 'meanwhile@customer.test')).toHaveLength(1), TIMEOUT)
  expect(await problem()).toBeNull()
  await allProcessed(server)
  const [before] = await threadsOf(as.ada, 'before@customer.test')
  expect((await as.ada(messages.list, { query: { conversation_id: before!.id } })).data).toHaveLength(1)
})

test('of two servers one reads the mailbox', async ({ server }) => {
  const second = await startTestServer(env, undefined, server.database)
  try {
    await second.context.liveConnections.reconcile()
    await server.context.liveConnections.reconcile()
    expect(imap.openLines()).toBe(1)
  } finally {
    await second.close()
  }
})
