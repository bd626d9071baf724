import { vi } from 'vitest'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { mailbox } from '#contract/integrations/mailbox.ts'
import { DOVECOT_PASSWORD, type Dovecot, hasDovecot, startDovecot } from '#tests/support/dovecot.ts'
import { test as base, type Callers, expect } from '#tests/support/fixture.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import { sendNow } from '#tests/support/pass-time.ts'
import type { World } from '#tests/support/world.ts'

const TIMEOUT = { timeout: 40_000, interval: 100 }

const withDovecot = base
  .extend('env', { scope: 'file' }, { REACHABLE_HOSTS: '127.0.0.1' })
  .extend('dovecot', { scope: 'file' }, async ({ extra: _ }, { onCleanup }) => {
    const dovecot = await startDovecot()
    onCleanup(() => dovecot.stop())
    return dovecot
  })
  .extend('smtp', { scope: 'file' }, async ({ extra: _ }, { onCleanup }) => {
    const smtp = await startMailServer()
    onCleanup(() => smtp.close())
    return smtp
  })
  /** Connects the mailbox of a user. */
  .extend('connect', ({ as, world, dovecot, smtp }) => (address: string, more: object = {}) => {
    const port = Number(new URL(smtp.url).port)
    return connect(as, world, dovecot, { address, smtp_port: port, ...more })
  })
  .extend(
    'conversationAbout',
    ({ as }) =>
      (subject: string) =>
        vi.waitFor(async () => {
          const { data } = await as.ben(conversations.list, { query: { source: 'email' } })
          const match = data.find((conversation) => conversation.subject === subject)
          expect(match).toBeDefined()
          return match!
        }, TIMEOUT),
  )
  .extend('reply', ({ as, server }) => async (conversation_id: string, body: string) => {
    const { data } = await as.ben(messages.create, { body: { message: { conversation_id, body } } })
    await sendNow(server, data.id)
  })

withDovecot.afterEach(async ({ as }) => {
  for (const { id } of (await as.ada(integrations.list)).data) {
    await as.ada(integrations.remove, { params: { id }, query: { discard: 'true' } })
  }
})

function connect(as: Callers, world: World, { port }: Dovecot, more: { address: string; smtp_port: number }) {
  const authorization = {
    inbox_id: world.billing.id,
    password: DOVECOT_PASSWORD,
    imap_host: '127.0.0.1',
    imap_port: port,
    imap_security: 'none' as const,
    smtp_host: '127.0.0.1',
    smtp_security: 'none' as const,
    ...more,
  }
  return as.ada(mailbox.connect, { body: { authorization } })
}

function writeMail(subject: string, text: string): string {
  const id = subject.toLowerCase().replaceAll(' ', '-')
  return `From: Nora <${id}@customer.test>\nTo: support@acme.test\nSubject: ${subject}\nMessage-ID: <${id}@customer.test>\n\n${text}\n`
}

const test = withDovecot.skipIf(!hasDovecot)

test('Dovecot: a mail is imported when it arrives, and a reply has a copy in the folder for sent mails', async ({
  dovecot,
  smtp,
  connect,
  conversationAbout,
  reply,
}) => {
  const user = 'copies@acme.test'
  await connect(user)
  dovecot.deliverMail(user, writeMail('Oak desk', 'Is it still there?'))
  const { id } = await conversationAbout('Oak desk')
  await reply(id, 'It is.')
  expect(await smtp.receive('oak-desk@customer.test')).toMatchObject({ subject: 'Re: Oak desk' })
  await vi.waitFor(() => expect(dovecot.subjects(user, 'Sent')).toEqual(['Re: Oak desk']), TIMEOUT)
})

test('Dovecot: if the mailbox is full, replies are sent, and the connection says why they have no copy', async ({
  as,
  dovecot,
  smtp,
  connect,
  conversationAbout,
  reply,
}) => {
  const user = 'full@acme.test'
  await connect(user)
  dovecot.deliverMail(user, writeMail('Small desk', 'Is it still there?'))
  const { id } = await conversationAbout('Small desk')
  dovecot.createFolder(user, 'Old')
  dovecot.deliverMail(user, writeMail('Catalogue', 'x'.repeat(100).concat('\n').repeat(2_900)), 'Old')
  const notice = async () => (await as.ada(integrations.list)).data[0]?.notice
  await reply(id, `It is. ${'Really. '.repeat(2_000)}`)
  await smtp.receive('small-desk@customer.test')
  await expect.poll(notice, TIMEOUT).toContain('the mailbox is full')
  dovecot.deleteFolder(user, 'Old')
  await reply(id, 'Come any day.')
  await expect.poll(notice, TIMEOUT).toBe(null)
  expect(dovecot.subjects(user, 'Sent')).toEqual(['Re: Small desk'])
})

test('Dovecot: if the watched folder is deleted, the connection says which', async ({ as, dovecot, connect }) => {
  const user = 'folders@acme.test'
  dovecot.createFolder(user, 'Support')
  await connect(user, { folder: 'Support' })
  dovecot.deleteFolder(user, 'Support')
  const problem = async () => (await as.ada(integrations.list)).data[0]?.problem
  await expect.poll(problem, TIMEOUT).toContain('The mailbox has no folder named Support any more. Choose another one.')
})
