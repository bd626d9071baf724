import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { startTestServer, type TestServer } from '#tests/support/server.ts'
import { createWorld, type World } from '#tests/support/world.ts'
import { newId } from '../../platform/secrets.ts'
import { sendFreshMails } from './kept-mails.ts'
import { sendMail } from './send-mail.ts'

let mail: MailServer
let server: TestServer
let world: World
beforeAll(async () => {
  mail = await startMailServer()
  server = await startTestServer({ SMTP_URL: mail.url })
  world = await createWorld(server)
})
afterAll(async () => {
  mail.release()
  await server.close()
  await mail.close()
})

/** A mail for which there is no job, so that the test alone sends it. */
async function write(recipient: string): Promise<string> {
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
}

const send = (id: string) => sendMail.run(server.context, { account_id: world.acme.id, mail_id: id })
const sendWithoutServer = (id: string) => {
  const mailer = { ...server.context.mailer, isOn: false, send: async () => undefined }
  return sendMail.run({ ...server.context, mailer }, { account_id: world.acme.id, mail_id: id })
}
const read = (id: string) =>
  server.context.db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const countTo = (address: string) => mail.mails.filter(({ to }) => to?.some((one) => one.address === address)).length

test('no transaction is open while the mail server thinks, and two workers send a mail once', async () => {
  const id = await write('slow@customer.test')
  mail.hold()
  const first = send(id)
  await expect.poll(() => mail.isHolding()).toBe(true)
  const { rows } = await sql`
    select state from pg_stat_activity
    where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`.execute(
    server.context.db,
  )
  expect(rows).toEqual([])
  await expect(send(id)).rejects.toThrow('is being sent by another server')
  mail.release()
  await first
  await send(id)
  expect(countTo('slow@customer.test')).toBe(1)
  expect(await read(id)).toMatchObject({ sent_at: expect.any(String), sending_until: null })
})

test('what a worker that died had taken is sent by another once its lease is over', async () => {
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

test('a mail that the server cannot take today can be tried again at once', async () => {
  const id = await write('later@customer.test')
  mail.refuseWith(452)
  await expect(send(id)).rejects.toThrow()
  mail.refuseWith(undefined)
  await send(id)
  expect(countTo('later@customer.test')).toBe(1)
})

test('a mail that is refused for good is not offered again, and says why', async () => {
  const id = await write('nobody@customer.test')
  mail.refuseWith(550)
  await send(id)
  mail.refuseWith(undefined)
  await send(id)
  expect(countTo('nobody@customer.test')).toBe(0)
  expect(await read(id)).toMatchObject({ sent_at: null, failure: expect.stringContaining('not today') })
})

test('a mail that the mail server would not take yet tells why and how often, and an admin offers it once more', async () => {
  const id = await write('much-later@customer.test')
  mail.refuseWith(450)
  await expect(send(id)).rejects.toThrow()
  await expect(send(id)).rejects.toThrow()
  const ask = (method: string, path: string, token = world.ada.token) => server.request(method, path, { token })
  const shown = async () => (await ask('GET', `/api/mails/${id}`)).body.data
  expect(await shown()).toMatchObject({ tries: 2, failed_at: null, failure: expect.stringContaining('not today') })
  mail.refuseWith(undefined)
  expect((await ask('POST', `/api/mails/${id}/retry`)).status).toBe(200)
  await mail.receive('much-later@customer.test')
  await expect.poll(shown).toMatchObject({ sent_at: expect.any(String), failure: null })
  expect((await ask('POST', `/api/mails/${id}/retry`)).status).toBe(409)
  expect((await ask('POST', `/api/mails/${id}/retry`, world.olga.token)).status).toBe(404)
})

test('what was written before there was a mail server goes out once there is one; what is older waits to be asked for', async () => {
  const [fresh, old] = [await write('fresh@customer.test'), await write('old@customer.test')]
  for (const id of [fresh, old]) await sendWithoutServer(id)
  const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString()
  await server.context.db.updateTable('mails').set({ created_at: yesterday }).where('id', '=', old).execute()
  await sendFreshMails(server.context, new Date())
  await mail.receive('fresh@customer.test')
  const ask = (method: string, path: string, token = world.ada.token) => server.request(method, path, { token })
  expect(await read(old)).toMatchObject({ sent_at: null, kept_at: expect.any(String) })
  const kept = async (token?: string) => (await ask('GET', '/api/mails', token)).body.kept_count
  expect([await kept(), await kept(world.olga.token)]).toEqual([1, 0])
  expect((await ask('POST', '/api/mails/send_kept', world.olga.token)).body.data).toEqual({ count: 0 })
  expect((await ask('POST', '/api/mails/send_kept')).body.data).toEqual({ count: 1 })
  await mail.receive('old@customer.test')
  expect(await kept()).toBe(0)
})
