import { sql } from 'kysely'
import { afterAll } from 'vitest'
import { mails } from '#contract/mail/mails.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startMailServer } from '#tests/support/mail-server.ts'
import type { TestServer } from '#tests/support/server.ts'
import { newId } from '../../../platform/secrets.ts'
import { sendMail } from './send-mail.ts'
import { sendFreshMails } from './unsent-mails.ts'

const mail = await startMailServer()
afterAll(() => {
  mail.release()
  return mail.close()
})

/** The open transactions in the server's database, besides the one that counts. */
async function countTransactions({ context: { db } }: TestServer): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`.execute(db)
  return rows.length
}

const countTo = (address: string) =>
  mail.mails.filter(({ to }) => to?.some((recipient) => recipient.address === address)).length

const test = base
  .extend('env', { scope: 'file' }, { SMTP_URL: mail.url })
  /** A mail without a job, so that only the test sends it. */
  .extend('write', ({ world, server }) => async (recipient: string): Promise<string> => {
    const id = newId()
    const row = {
      account_id: world.acme.id,
      id,
      kind: 'reply',
      recipient,
      subject: 'Hello',
      text: 'Hi',
      html: '<p>Hi</p>',
    }
    await server.context.db.insertInto('mails').values(row).execute()
    return id
  })
  .extend('send', ({ world, server }) => (id: string) => {
    return sendMail.run(server.context, { account_id: world.acme.id, mail_id: id })
  })
  .extend('sendWithoutServer', ({ world, server }) => (id: string) => {
    const mailer = { ...server.context.mailer, isOn: false, send: async () => undefined }
    return sendMail.run({ ...server.context, mailer }, { account_id: world.acme.id, mail_id: id })
  })
  .extend('read', ({ server }) => (id: string) => {
    return server.context.db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  })

test('no transaction is open while the mail server works, and two workers send a mail once', async ({
  server,
  write,
  send,
  read,
}) => {
  const id = await write('slow@customer.test')
  mail.hold()
  const first = send(id)
  await expect.poll(() => mail.isHolding()).toBe(true)
  // Other work of the server has short transactions.
  await expect.poll(() => countTransactions(server)).toBe(0)
  await expect(send(id)).rejects.toThrow('is being sent by another server')
  mail.release()
  await first
  await send(id)
  expect(countTo('slow@customer.test')).toBe(1)
  expect(await read(id)).toMatchObject({ sent_at: expect.any(String), sending_until: null })
})

test('a mail claimed by a worker that died is sent by another after the lease has expired', async ({
  server,
  write,
  send,
}) => {
  const id = await write('orphan@customer.test')
  const { db } = server.context
  const leaseUntil = (ms: number) =>
    db
      .updateTable('mails')
      .set({ sending_until: new Date(Date.now() + ms).toISOString() })
      .where('id', '=', id)
      .execute()
  await leaseUntil(60_000)
  await expect(send(id)).rejects.toThrow('is being sent')
  await leaseUntil(-1)
  await send(id)
  expect(countTo('orphan@customer.test')).toBe(1)
})

test('a mail that the server cannot accept now can be retried at once', async ({ write, send }) => {
  const id = await write('later@customer.test')
  mail.refuseWith(452)
  await expect(send(id)).rejects.toThrow()
  mail.refuseWith(undefined)
  await send(id)
  expect(countTo('later@customer.test')).toBe(1)
})

test('a mail refused for good is not retried, and has the reason', async ({ write, send, read }) => {
  const id = await write('nobody@customer.test')
  mail.refuseWith(550)
  await send(id)
  mail.refuseWith(undefined)
  await send(id)
  expect(countTo('nobody@customer.test')).toBe(0)
  expect(await read(id)).toMatchObject({ sent_at: null, failure: expect.stringContaining('not today') })
})

test('a temporarily refused mail shows the reason and the number of attempts, and an admin can retry it', async ({
  as,
  write,
  send,
}) => {
  const id = await write('much-later@customer.test')
  mail.refuseWith(450)
  await expect(send(id)).rejects.toThrow()
  await expect(send(id)).rejects.toThrow()
  const shown = async () => (await as.ada(mails.get, { params: { id } })).data
  expect(await shown()).toMatchObject({ tries: 2, failed_at: null, failure: expect.stringContaining('not today') })
  mail.refuseWith(undefined)
  await as.ada(mails.retry, { params: { id } })
  await mail.receive('much-later@customer.test')
  await expect.poll(shown).toMatchObject({ sent_at: expect.any(String), failure: null })
  await expect(as.ada(mails.retry, { params: { id } })).rejects.toMatchObject({ status: 409 })
  await expect(as.olga(mails.retry, { params: { id } })).rejects.toMatchObject({ status: 404 })
})

test('recent mails written without a mail server are sent once there is one; older ones wait for an admin', async ({
  as,
  server,
  write,
  sendWithoutServer,
  read,
}) => {
  const [fresh, old] = [await write('fresh@customer.test'), await write('old@customer.test')]
  for (const id of [fresh, old]) await sendWithoutServer(id)
  const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString()
  await server.context.db.updateTable('mails').set({ created_at: yesterday }).where('id', '=', old).execute()
  await sendFreshMails(server.context, new Date())
  await mail.receive('fresh@customer.test')
  expect(await read(old)).toMatchObject({ sent_at: null, kept_at: expect.any(String) })
  const countKept = async (who = as.ada) => (await who(mails.list)).kept_count
  expect([await countKept(), await countKept(as.olga)]).toEqual([1, 0])
  expect((await as.olga(mails.sendKept)).data).toEqual({ count: 0 })
  expect((await as.ada(mails.sendKept)).data).toEqual({ count: 1 })
  await mail.receive('old@customer.test')
  expect(await countKept()).toBe(0)
})
