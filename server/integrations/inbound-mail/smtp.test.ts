import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { conversations } from '#contract/conversations/conversations.ts'
import { forwardingAddresses } from '#contract/mail/forwarding-addresses.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { allProcessed } from '#tests/support/incoming-mail.ts'
import { freePort } from '#tests/support/server-process.ts'
import { listenForMail } from './smtp.ts'
import { SESSION_LIMITS } from './smtp-sessions.ts'

const PORT = await freePort()
const folder = mkdtempSync(join(tmpdir(), 'parley-smtp-'))
const [MAIL_IN_TLS_CERT, MAIL_IN_TLS_KEY] = ['cert.pem', 'key.pem'].map((name) => join(folder, name)) as [
  string,
  string,
]
execFileSync(
  'openssl',
  [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'],
    ...['-subj', '/CN=in.acme.test', '-keyout', MAIL_IN_TLS_KEY, '-out', MAIL_IN_TLS_CERT],
  ],
  { stdio: 'ignore' },
)

const test = base
  .extend(
    'env',
    { scope: 'file' },
    {
      MAIL_IN_DOMAIN: 'in.acme.test',
      MAIL_IN_PORT: String(PORT),
      MAIL_IN_TLS_CERT,
      MAIL_IN_TLS_KEY,
      HOST: '127.0.0.1',
    },
  )
  .extend('address', { scope: 'file' }, async ({ as }) => {
    // The SMTP server starts a moment after the HTTP server.
    await expect.poll(isReached).toBe(true)
    const forwarding_address = { source_email_address: 'support@acme.test' }
    const { data } = await as.ada(forwardingAddresses.create, { body: { forwarding_address } })
    return data.forwarding_email_address
  })

function isReached(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(PORT, '127.0.0.1')
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.end()
  })
}

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
  await allProcessed(server)
  const { data } = await as.ada(conversations.list, { query: { source: 'email' } })
  expect(data[0]).toMatchObject({ subject: 'By SMTP', customer: { email: 'nora@example.org' } })
})

test('unknown recipients are refused before the mail is read', async ({ address }) => {
  expect(address).toBeTruthy()
  const refusal = await send('somebody@elsewhere.test', 'Pass it on.').catch((error: unknown) => error)
  expect(refusal).toMatchObject({ responseCode: 550, command: 'RCPT TO' })
})

test('a mail of more than 35 MB is refused', async ({ address }) => {
  const refusal = await send(address, 'x'.repeat(36_000_000)).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ responseCode: 552 })
})

/** A mail of which `bytes` are sent, and the rest on command. */
function sendSlowly(to: string, bytes: number) {
  const transport = createTransport({ host: '127.0.0.1', port: PORT, ignoreTLS: true })
  const content = new PassThrough()
  content.write(`from: nora@example.org\r\nsubject: Slowly\r\n\r\n${'line of text\r\n'.repeat(bytes / 14)}`)
  const answer = transport
    .sendMail({ envelope: { from: 'nora@example.org', to }, raw: content })
    .then(
      ({ response }) => response,
      (error: { responseCode: number }) => error.responseCode,
    )
    .finally(() => transport.close())
  return { answer, finish: () => content.end() }
}

function sendAtOnce(to: string, bytes: number) {
  const mail = sendSlowly(to, bytes)
  mail.finish()
  return mail.answer
}

/**
 * Sends two large mails, and returns the answer to a third. Only the server knows when the two have their places, so
 * they get a head start, which grows if the third came first.
 */
async function thirdOfLarge(to: string, headStartMs: number) {
  const slow = [sendSlowly(to, 3_000_000), sendSlowly(to, 3_000_000)]
  await sleep(headStartMs)
  const third = await sendAtOnce(to, 3_000_000)
  const small = await send(to, 'A few words.')
  for (const { finish } of slow) finish()
  return { third, small: small.response, slow: await Promise.all(slow.map(({ answer }) => answer)) }
}

test('two large mails are read at a time, a third is refused temporarily, and small ones are accepted', async ({
  address,
}) => {
  const stored = expect.stringMatching(/^250 /)
  let tries = 0
  await expect
    .poll(() => thirdOfLarge(address, 200 * ++tries), { timeout: 30_000 })
    .toEqual({ third: 452, small: stored, slow: [stored, stored] })
  expect(await sendAtOnce(address, 3_000_000)).toEqual(stored)
})

test('one network has half of the connections at most', async ({ address }) => {
  const sockets: Socket[] = []
  const greeting = () =>
    new Promise<string>((resolve) => {
      const socket = connect(PORT, '127.0.0.1')
      sockets.push(socket)
      socket.once('data', (data) => resolve(data.toString()))
    })
  try {
    const greetings = await Promise.all(Array.from({ length: 27 }, greeting))
    expect(greetings.filter((text) => text.startsWith('220'))).toHaveLength(25)
    expect(greetings.filter((text) => text.startsWith('421'))).toHaveLength(2)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  await expect
    .poll(() => send(address, 'After them.').then(({ response }) => response, String), { timeout: 20_000 })
    .toMatch(/^250 /)
})

/** Connects from an address of this machine, and collects what the server says. */
function openIdle(localAddress: string) {
  const socket = connect({ port: PORT, host: '127.0.0.1', localAddress })
  let said = ''
  socket.on('data', (data) => {
    said += data
  })
  socket.on('error', () => undefined)
  return { socket, said: () => said }
}

test('clients that only hold their connections keep no mail out, from however many addresses', async ({ address }) => {
  const idle = ['127.0.0.2', '127.0.0.3'].flatMap((from) => Array.from({ length: 25 }, () => openIdle(from)))
  await expect.poll(() => idle.every(({ said }) => said().startsWith('220'))).toBe(true)
  await expect
    .poll(() => send(address, 'I have something to say.').then(({ response }) => response, String), { timeout: 20_000 })
    .toMatch(/^250 /)
  expect(idle.some(({ said }) => said().includes('421 4.4.2'))).toBe(true)
  for (const { socket } of idle) socket.destroy()
})

test('a session that asks for many unknown recipients is ended', async ({ address }) => {
  expect(address).toBeTruthy()
  const { socket, said } = openIdle('127.0.0.1')
  await expect.poll(said).toContain('220')
  socket.write('EHLO guess.test\r\n')
  await expect.poll(said).toContain('250 ')
  socket.write('MAIL FROM:<a@guess.test>\r\n')
  for (let i = 0; i < 30; i++) socket.write(`RCPT TO:<guess${i}@in.acme.test>\r\n`)
  await expect.poll(() => socket.destroyed || said().includes('421')).toBe(true)
  expect(said().match(/550/g)).toHaveLength(20)
  expect(said()).toContain('421 4.7.0 Too many unknown recipients')
  socket.destroy()
})

test('a mail, or a session, that does not go on is ended', async ({ server, address }) => {
  const port = await freePort()
  const limits = { ...SESSION_LIMITS, stepMs: 1_500, windowMs: 1_500 }
  const slow = await listenForMail(server.context, { port, host: '127.0.0.1', limits })
  const silent = connect(port, '127.0.0.1')
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true })
  const content = new PassThrough()
  content.write('from: nora@example.org\r\nsubject: Never ends\r\n\r\n')
  const outcome = transport
    .sendMail({ envelope: { from: 'nora@example.org', to: address }, raw: content })
    .catch(String)
  silent.resume()
  await once(silent, 'end')
  expect(await outcome).toMatch(/421|closed/)
  silent.destroy()
  transport.close()
  slow.close()
})

test('connections can be encrypted with the configured certificate', async ({ address }) => {
  const transport = createTransport({
    host: '127.0.0.1',
    port: PORT,
    requireTLS: true,
    tls: { ca: readFileSync(MAIL_IN_TLS_CERT), servername: 'in.acme.test' },
  })
  const mail = { from: 'nora@example.org', to: address, subject: 'In secret', text: 'Encrypted.' }
  expect((await transport.sendMail(mail)).response).toMatch(/^250 /)
  transport.close()
})
