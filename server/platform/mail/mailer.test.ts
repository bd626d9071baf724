import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCertificate } from '#tests/support/certificate.ts'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { createMailer, MailRefused } from './mailer.ts'

let server: MailServer
beforeAll(async () => {
  server = await startMailServer()
})
afterAll(() => server.close())

const letter = {
  message_id: '<1@acme.test>',
  to: 'ada@acme.test',
  from_name: null,
  reply_to: null,
  subject: 'Hello',
  text: 'Hello',
  html: '<p>Hello</p>',
  headers: {},
}

test.each([
  ['a reader who is not there', 550, 'the recipient', true],
  ['a reader whose box is full today', 452, 'the recipient', false],
  ['a password of the mail server that was changed', 535, 'signing in', false],
  ['a name in which we may not send yet', 550, 'the sender', false],
] as const)('for %s a mail fails for good or is retried', async (_reason, code, at, isGivenUp) => {
  const url = server.url.replace('smtp://', 'smtp://parley:secret@')
  const mailer = createMailer(url, 'Parley <parley@acme.test>', pino({ level: 'silent' }))
  server.refuseWith(code, at)
  const refusal = await mailer.send(letter).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(Error)
  expect(refusal instanceof MailRefused).toBe(isGivenUp)
  server.refuseWith(undefined)
  await mailer.send(letter)
  mailer.close()
})

test('a mail server on the same machine may have a certificate for another name; elsewhere only if the URL says so', async () => {
  const secure = await startMailServer(makeCertificate('mail.acme.test'))
  const port = new URL(secure.url).port
  try {
    // 0.0.0.0 leads to this machine as well, but is not an address of the loopback interface.
    for (const [where, isAccepted] of [
      ['127.0.0.1', true],
      ['localhost', true],
      ['127.0.0.1?tls.rejectUnauthorized=true', false],
      ['0.0.0.0', false],
      ['0.0.0.0?tls.rejectUnauthorized=false', true],
    ] as const) {
      const [host, parameters] = where.split('?')
      const url = `smtp://${host}:${port}${parameters ? `?${parameters}` : ''}`
      const mailer = createMailer(url, 'Parley <parley@acme.test>', pino({ level: 'silent' }))
      const refusal = await mailer.send(letter).catch((error: unknown) => error)
      if (isAccepted) expect(refusal, where).toBe(undefined)
      else expect(String(refusal), where).toContain('append ?tls.rejectUnauthorized=false')
      expect(mailer.problem() === null, where).toBe(isAccepted)
      mailer.close()
    }
  } finally {
    await secure.close()
  }
})

test.each([
  ['smtps', 'does not speak TLS on this port'],
  ['smtp', null],
])('the mail server is checked without sending anything: %s', async (protocol, problem) => {
  const url = server.url.replace('smtp:', `${protocol}:`)
  const mailer = createMailer(url, 'Parley <parley@acme.test>', pino({ level: 'silent' }))
  const sent = server.mails.length
  await mailer.verify()
  if (problem) expect(mailer.problem()).toContain(problem)
  else expect(mailer.problem()).toBe(null)
  expect(server.mails).toHaveLength(sent)
  mailer.close()
})

test('a mail server on the same machine that offers encryption without having a certificate is used without it', async () => {
  const bare = createServer((socket) => {
    socket.write('220 mail.acme.test\r\n')
    socket.on('error', () => undefined)
    socket.on('data', (line) => {
      const [command = ''] = String(line).trim().toUpperCase().split(' ')
      if (command === 'EHLO') socket.write('250-mail.acme.test\r\n250 STARTTLS\r\n')
      else if (command === 'STARTTLS') socket.write('454 4.7.0 TLS not available due to local problem\r\n')
      else socket.end('221 Bye\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(bare, 'listening')
  const { port } = bare.address() as AddressInfo
  const mailer = createMailer(`smtp://127.0.0.1:${port}`, 'Parley <parley@acme.test>', pino({ level: 'silent' }))
  await mailer.verify()
  expect(mailer.problem()).toBe(null)
  mailer.close()
  bare.close()
})
