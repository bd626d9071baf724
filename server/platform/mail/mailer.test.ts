import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
