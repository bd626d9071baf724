import { createTransport } from 'nodemailer'
import { forwardingAddresses } from '#contract/mail/forwarding-addresses.ts'
import { mails } from '#contract/mail/mails.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { RELAY_KEY, relayMail, writeMail } from '#tests/support/incoming-mail.ts'
import { freePort } from '#tests/support/server-process.ts'

const PORT = await freePort()
const test = base.extend(
  'env',
  { scope: 'file' },
  {
    MAIL_IN_DOMAIN: 'in.acme.test',
    MAIL_IN_KEY: RELAY_KEY,
    MAIL_IN_PORT: String(PORT),
    HOST: '127.0.0.1',
    RATE_LIMITS: 'on',
  },
)

test('an account that receives too much mail has it wait at its senders, and its admins are told once', {
  timeout: 180_000,
}, async ({ as, server, world }) => {
  const addressOf = async (who: typeof as.ada) => {
    const body = { forwarding_address: { source_email_address: 'support@acme.test' } }
    return (await who(forwardingAddresses.create, { body })).data.forwarding_email_address
  }
  const [to, others] = [await addressOf(as.ada), await addressOf(as.olga)]
  // What a flood would have used up, again before each try, because some of it comes back every few seconds.
  const flood = async () => {
    const { limits } = server.context
    while ((await limits.take(`mail-in:${world.acme.id}`, { capacity: 5_000, perSecond: 0.2 })).allowed);
  }
  const relayed = (recipient: string) =>
    relayMail(server, writeMail({ to: recipient, text: 'Hello' }), { to: recipient, from: 'nora@example.org' })
  const refused = { timeout: 60_000, interval: 20 }
  await expect.poll(() => flood().then(async () => (await relayed(to)).status), refused).toBe(429)
  const transport = createTransport({ host: '127.0.0.1', port: PORT, ignoreTLS: true })
  const send = (recipient: string) =>
    transport.sendMail({ from: 'nora@example.org', to: recipient, subject: 'Hello', text: 'Hello' }).then(
      ({ response }) => response,
      ({ responseCode }: { responseCode: number }) => responseCode,
    )
  await expect.poll(() => flood().then(() => send(to)), refused).toBe(452)
  expect((await relayed(others)).status, 'another account').toBe(200)
  expect(await send(others)).toMatch(/^250 /)
  transport.close()
  const told = (await as.ada(mails.list)).data.filter(({ kind }) => kind === 'mail_quota')
  expect(told).toMatchObject([{ recipient: world.ada.email }])
  expect((await as.olga(mails.list)).data.filter(({ kind }) => kind === 'mail_quota')).toEqual([])
})
