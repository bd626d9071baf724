import { mails } from '#contract/mail/mails.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { startTestServer } from '#tests/support/server.ts'
import { createWorld } from '#tests/support/world.ts'

const test = base
  .extend('env', { scope: 'file' }, { OPERATOR_EMAIL: 'operator@host.test' })
  .extend('notify', ({ world, server }) => (body: object, { token } = world.ada, to = server) => {
    return to.request('POST', '/api/admin/notifications', { token, body })
  })

test('a message of an admin is mailed to the operator, with its author', async ({ as, world, notify }) => {
  const { status, body } = await notify({ text: 'Please <b>help</b>', html: '<h1>Please help</h1>' })
  expect([status, body.data.success]).toEqual([200, true])
  const mail = (await as.ada(mails.get, { params: { id: body.data.result } })).data
  expect(mail).toMatchObject({
    kind: 'operator',
    recipient: 'operator@host.test',
    subject: `New message from Parley account ${world.acme.id}`,
  })
  expect(mail.text).toContain(
    `Please <b>help</b>\n\nWritten by ada@acme.test, an admin of the account ${world.acme.id}`,
  )
  expect(mail.html).toContain('Please &lt;b&gt;help&lt;/b&gt;')
  expect(mail.html).not.toContain('<h1>')
  const named = await notify({ text: 'Help', subject: 'Broken\r\nBcc: everybody@acme.test' })
  const other = await as.ada(mails.get, { params: { id: named.body.data.result } })
  expect(other.data.subject).toBe('Broken Bcc: everybody@acme.test')
})

test('only admins may write, and not an empty message', async ({ world, notify }) => {
  expect((await notify({ text: 'Hi' }, world.ben)).status).toBe(401)
  expect((await notify({ text: ' ' })).body.error.errors).toEqual({ text: ["can't be blank"] })
})

test('without a configured operator the call is refused with the reason', async ({ notify }) => {
  const alone = await startTestServer()
  const { ada } = await createWorld(alone)
  const { body } = await notify({ text: 'Anybody?' }, ada, alone)
  await alone.close()
  expect(body.data).toEqual({ success: false, error: 'There is no contact address. Set OPERATOR_EMAIL.' })
})
