import { createTransport } from 'nodemailer'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { forwardingAddresses } from '#contract/mail/forwarding-addresses.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { MAIL_BOMBS, mailHead, signedBomb, textMail } from '#tests/support/mail-bombs.ts'
import { freePort } from '#tests/support/server-process.ts'

const PORT = await freePort()

const test = base
  .extend('env', { scope: 'file' }, { MAIL_IN_DOMAIN: 'in.acme.test', MAIL_IN_PORT: String(PORT), HOST: '127.0.0.1' })
  .extend('address', { scope: 'file' }, async ({ as }) => {
    const forwarding_address = { source_email_address: 'support@acme.test' }
    return (await as.ada(forwardingAddresses.create, { body: { forwarding_address } })).data.forwarding_email_address
  })
  .extend('findThread', ({ as }) => async (subject: string) => {
    const { data } = await as.ada(conversations.list, { query: { source: 'email' } })
    return data.find((conversation) => conversation.subject === subject)
  })

function send(to: string, raw: string) {
  const transport = createTransport({ host: '127.0.0.1', port: PORT, ignoreTLS: true })
  const envelope = { from: 'nora@example.org', to }
  return transport.sendMail({ envelope, raw }).finally(() => transport.close())
}

/**
 * The longest time that nobody else was served while the work was done, in milliseconds of this thread's processor time:
 * other programs on the machine do not lengthen it.
 */
async function longestPause(work: () => Promise<void>): Promise<number> {
  let longest = 0
  let last = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(last)
    longest = Math.max(longest, (user + system) / 1_000)
    last = process.threadCpuUsage()
  }, 10)
  await work().finally(() => clearInterval(timer))
  return longest
}

const LONG = { timeout: 120_000 }
/** Far less than any of these took, and twenty times what receiving the largest one takes. */
const PAUSE_MS = 2_000

test.for(Object.keys(MAIL_BOMBS))('a mail of %s keeps nobody waiting', LONG, async (name, { address, findThread }) => {
  const subject = `Bomb: ${name}`
  const pause = await longestPause(async () => {
    expect((await send(address, MAIL_BOMBS[name]!(subject))).response).toMatch(/^250 /)
    await expect.poll(() => findThread(subject), { timeout: 60_000 }).toBeTruthy()
  })
  expect(pause).toBeLessThan(PAUSE_MS)
  const [message] = (await findThread(subject))!.messages
  expect(message!.body).toMatch(/^(read me|a)/)
  expect(message!.body!.length).toBeLessThanOrEqual(50_000)
})

test('of a text that is too long for a message, the beginning is shown, and its end says so', async ({
  address,
  findThread,
}) => {
  await send(address, textMail('Long', 'One more sentence of it. '.repeat(3_000)))
  await expect.poll(() => findThread('Long')).toBeTruthy()
  expect((await findThread('Long'))!.messages[0]!.body).toMatch(/^One more sentence of it\. .*…$/s)
})

test.each(['33,000 header lines', '300 kB of one header'])(
  'a mail of %s is not read, and the reason is shown',
  async (name) => {
    const { parseMail } = await import('../../features/mail/conversation-mails/parse.ts')
    const mails: Record<string, string> = {
      '33,000 header lines': `${mailHead('x')}${'x: y\r\n'.repeat(33_000)}\r\nx`,
      '300 kB of one header': `${mailHead('x')}x: ${'y'.repeat(300_000)}\r\n\r\nx`,
    }
    expect(() => parseMail(Buffer.from(mails[name]!))).toThrow('its headers are too long')
  },
)

test(
  'a header of 80,000 folded lines keeps nobody waiting, and the reason why the mail is not read is shown',
  LONG,
  async ({ as, address }) => {
    const pause = await longestPause(async () => {
      const raw = `${mailHead('Folded')}X-Folded:${'\r\n '.repeat(80_000)}x\r\n\r\nread me\r\n`
      expect((await send(address, raw)).response).toMatch(/^250 /)
      const ignored = async () => (await as.ada(integrations.inboundEvents, { query: { state: 'ignored' } })).data
      await expect
        .poll(ignored, { timeout: 40_000 })
        .toMatchObject([{ reason: 'The mail cannot be read: its headers are too long.', has_original: true }])
    })
    expect(pause).toBeLessThan(PAUSE_MS)
  },
)

test('2,000 signatures and a long route keep nobody waiting, and the mail is accepted', { timeout: 60_000 }, async ({
  address,
  findThread,
}) => {
  const pause = await longestPause(async () => {
    expect((await send(address, signedBomb('Signed', 2_000))).response).toMatch(/^250 /)
    await expect.poll(() => findThread('Signed'), { timeout: 40_000 }).toBeTruthy()
  })
  expect(pause).toBeLessThan(PAUSE_MS)
})
