import { createTransport } from 'nodemailer'
import { conversations } from '#contract/conversations.ts'
import { forwardingAddresses } from '#contract/forwarding-addresses.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { allTaken } from '#tests/support/incoming-mail.ts'
import { freePort } from '#tests/support/server-process.ts'

const PORT = await freePort()

const test = base
  .override('env', { MAIL_IN_DOMAIN: 'in.acme.test', MAIL_IN_PORT: String(PORT), HOST: '127.0.0.1' })
  .extend('address', { scope: 'file' }, async ({ as }) => {
    const forwarding_address = { source_email_address: 'support@acme.test' }
    const { data } = await as.ada(forwardingAddresses.create, { body: { forwarding_address } })
    return data.forwarding_email_address
  })

function send(to: string, text: string) {
  const transport = createTransport({ host: '127.0.0.1', port: PORT, ignoreTLS: true })
  return transport.sendMail({ from: 'nora@example.org', to, subject: 'By SMTP', text }).finally(() => transport.close())
}

test('a mail that comes by SMTP is acknowledged once it is stored, and becomes a conversation', async ({
  as,
  server,
  address,
}) => {
  expect((await send(address, 'Straight to you.')).response).toMatch(/^250 .*Stored/)
  await allTaken(server)
  const { data } = await as.ada(conversations.list, { query: { source: 'email' } })
  expect(data[0]).toMatchObject({ subject: 'By SMTP', customer: { email: 'nora@example.org' } })
})

test('addresses that are not ours are refused before the mail is read', async ({ address }) => {
  expect(address).toBeTruthy()
  const refusal = await send('somebody@elsewhere.test', 'Pass it on.').catch((error: unknown) => error)
  expect(refusal).toMatchObject({ responseCode: 550, command: 'RCPT TO' })
})

test('a mail of more than 35 MB is refused', async ({ address }) => {
  const refusal = await send(address, 'x'.repeat(36_000_000)).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ responseCode: 552 })
})
