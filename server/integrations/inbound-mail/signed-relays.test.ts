import { createHmac, randomUUID } from 'node:crypto'
import { createEmulator } from 'emulate'
import { afterAll } from 'vitest'
import { conversations } from '#contract/conversations/conversations.ts'
import { forwardingAddresses } from '#contract/mail/forwarding-addresses.ts'
import { messageMails } from '#contract/mail/message-mails.ts'
import { startSns } from '#tests/emulators/sns.ts'
import { test as base, expect } from '#tests/support/fixture.ts'
import { allProcessed, RELAY_KEY, relayMail, writeMail } from '#tests/support/incoming-mail.ts'
import type { TestServer } from '#tests/support/server.ts'

const sns = await startSns()
const s3 = await createEmulator({ service: 'aws', port: 0 })
afterAll(() => Promise.all([sns.close(), s3.close()]))
const SIGNING_KEY = 'the webhook signing key of the account'

const test = base
  .extend(
    'env',
    { scope: 'file' },
    {
      MAIL_IN_DOMAIN: 'in.acme.test',
      MAIL_IN_KEY: RELAY_KEY,
      MAIL_IN_MAILGUN_KEY: SIGNING_KEY,
      SNS_URL: sns.url,
      SES_BUCKET_NAME: 'mails',
      S3_ENDPOINT: s3.url,
      S3_ACCESS_KEY_ID: 'test',
      S3_SECRET_ACCESS_KEY: 'test',
    },
  )
  .extend('to', { scope: 'file' }, async ({ as }) => {
    const forwarding_address = { source_email_address: 'support@acme.test' }
    return (await as.ada(forwardingAddresses.create, { body: { forwarding_address } })).data.forwarding_email_address
  })
  .extend('mailOf', async ({ as }) => async (customer: string) => {
    const { data } = await as.ada(conversations.list, { query: { source: 'email' } })
    const message = data.find((conversation) => conversation.customer.email === customer)?.messages[0]
    return message && (await as.ada(messageMails.get, { params: { id: message.id } })).data
  })

const post = async (server: TestServer, body: string, headers: Record<string, string>) => {
  const address = `${server.url}/api/inbound_mail/${encodeURIComponent(RELAY_KEY)}`
  return (await fetch(address, { method: 'POST', headers, body })).status
}
const notify = (server: TestServer, message: string) =>
  post(server, message, { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': 'Notification' })
const received = (to: string, from: string, more: object = {}) =>
  JSON.stringify({
    notificationType: 'Received',
    mail: { source: from, destination: ['support@acme.test'] },
    receipt: {
      recipients: [to],
      dmarcVerdict: { status: 'PASS' },
      action: { type: 'SNS', encoding: 'BASE64' },
      ...more,
    },
    content: Buffer.from(writeMail({ to, from, text: 'By SES.' })).toString('base64'),
  })

test('SES delivers mails by signed notifications, and its check of the sender is used', async ({
  server,
  to,
  mailOf,
}) => {
  expect(await notify(server, sns.message({ Message: received(to, 'signed@example.org') }))).toBe(200)
  const old = {
    Message: received(to, 'first@example.org', { dmarcVerdict: { status: 'GRAY' } }),
    SignatureVersion: '1',
  }
  expect(await notify(server, sns.message(old))).toBe(200)
  await allProcessed(server)
  expect(await mailOf('signed@example.org')).toMatchObject({ proof: 'pass' })
  expect(await mailOf('first@example.org')).toMatchObject({ proof: 'none' })
  expect(sns.requestsTo('GET /own.pem')).toHaveLength(1)
})

test('a verdict of SES, which names no domain, counts only if From names a single one', async ({
  server,
  to,
  mailOf,
}) => {
  const moved = received(to, '(carl@bank.test, until May) <moved@example.org>')
  expect(await notify(server, sns.message({ Message: moved }))).toBe(200)
  await allProcessed(server)
  expect(await mailOf('moved@example.org')).toMatchObject({ proof: 'none' })
})

test('a mail too large for a notification is read from the configured bucket, and from no other', async ({
  server,
  to,
  mailOf,
}) => {
  await fetch(`${s3.url}/mails`, { method: 'PUT' })
  await fetch(`${s3.url}/mails/inbound/large`, {
    method: 'PUT',
    body: writeMail({ to, from: 'large@example.org', text: 'By a bucket.' }),
  })
  const laid = (bucketName: string, objectKey: string) =>
    sns.message({
      Message: JSON.stringify({
        notificationType: 'Received',
        mail: { source: 'large@example.org' },
        receipt: { recipients: [to], action: { type: 'S3', bucketName, objectKey } },
      }),
    })
  expect(await notify(server, laid('mails', 'inbound/large'))).toBe(200)
  expect(await notify(server, laid('others', 'inbound/large'))).toBe(400)
  expect(await notify(server, laid('mails', 'inbound/missing'))).toBe(503)
  await allProcessed(server)
  expect(await mailOf('large@example.org')).toMatchObject({ subject: 'My order' })
})

test('messages that SNS did not sign, or signed long ago, are refused', async ({ server, to }) => {
  const Message = received(to, 'forged@example.org')
  const refused = [
    sns.message({ Message: 'something else' }, { Message }),
    sns.message({ Message, Timestamp: new Date(Date.now() - 2 * 86_400_000).toISOString() }),
    sns.message({ Message }, { Timestamp: new Date(Date.now() + 1_000).toISOString() }),
    sns.message({ Message }, { SignatureVersion: '1' }),
  ]
  for (const message of refused) expect(await notify(server, message)).toBe(401)
})

test('a certificate is fetched only from hosts of the service', async ({ server, to }) => {
  const stranger = await startSns()
  try {
    const Message = received(to, 'stranger@example.org')
    expect(await notify(server, stranger.message({ Message }))).toBe(401)
    for (const SigningCertURL of [
      `${sns.url}@${new URL(stranger.url).host}/own.pem`,
      'https://sns.eu-west-1.amazonaws.com.evil.test/own.pem',
      'file:///etc/ssl/own.pem',
      'nonsense',
    ]) {
      expect(await notify(server, stranger.message({ Message, SigningCertURL }))).toBe(401)
    }
    expect(stranger.requests).toEqual([])
  } finally {
    await stranger.close()
  }
})

test('a subscription is confirmed only at a URL of the service', async ({ server }) => {
  const confirm = (SubscribeURL: string) =>
    notify(server, sns.message({ Type: 'SubscriptionConfirmation', Message: 'Confirm', Token: 'token', SubscribeURL }))
  expect(await confirm('http://127.0.0.1:9/confirm')).toBe(400)
  sns.fail('GET /confirm', { status: 500 })
  expect(await confirm(`${sns.url}/confirm`)).toBe(503)
  expect(await confirm(`${sns.url}/confirm`)).toBe(200)
  expect(sns.requestsTo('GET /confirm')).toHaveLength(2)
})

test('an unavailable certificate or mail makes the service retry', async ({ server, to }) => {
  sns.fail('GET /other.pem', { status: 503 })
  const Message = received(to, 'again@example.org')
  expect(await notify(server, sns.message({ Message, SigningCertURL: `${sns.url}/other.pem` }))).toBe(503)
  expect(await notify(server, sns.message({ Message, SigningCertURL: `${sns.url}/missing.pem` }))).toBe(401)
  expect(await notify(server, sns.message({ Message: '{}' }))).toBe(400)
  expect(await notify(server, sns.message({ Message: received('x@acme.test', 'x@example.org') }))).toBe(406)
})

const signed = (timestamp: number, token: string) => ({
  timestamp: String(timestamp),
  token,
  signature: createHmac('sha256', SIGNING_KEY).update(`${timestamp}${token}`).digest('hex'),
})
const now = () => Math.floor(Date.now() / 1000)
/** Wrong in its first digit, whatever that is. */
const otherThan = (signature: string) => `${signature.startsWith('0') ? '1' : '0'}${signature.slice(1)}`
const form = (server: TestServer, to: string, from: string, proof: Record<string, string>) =>
  post(
    server,
    new URLSearchParams({
      recipient: to,
      sender: from,
      'body-mime': writeMail({ to, from, text: 'By Mailgun.' }),
      ...proof,
    }).toString(),
    { 'content-type': 'application/x-www-form-urlencoded' },
  )

test('Mailgun delivers signed mails, and each token is valid for one form', async ({ server, to, mailOf }) => {
  const proof = signed(now(), randomUUID())
  const mail = new URLSearchParams({
    recipient: to,
    'body-mime': writeMail({ to, from: 'mailgun@example.org', text: 'By Mailgun.' }),
    ...proof,
  }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  expect(await post(server, mail, headers)).toBe(200)
  // The answer was lost, so it is sent again.
  expect(await post(server, mail, headers)).toBe(200)
  expect(await form(server, to, 'replay@example.org', proof)).toBe(401)
  await allProcessed(server)
  expect(await mailOf('mailgun@example.org')).toMatchObject({ subject: 'My order' })
  expect(await mailOf('replay@example.org')).toBeUndefined()
})

test('forms that Mailgun did not sign, or signed long ago, are refused, and so are those without a signature', async ({
  server,
  to,
}) => {
  const { signature, ...rest } = signed(now(), randomUUID())
  expect(await form(server, to, 'a@example.org', rest)).toBe(401)
  expect(await form(server, to, 'b@example.org', { ...rest, signature: otherThan(signature) })).toBe(401)
  expect(await form(server, to, 'c@example.org', signed(now() - 86_400, randomUUID()))).toBe(401)
  expect(await form(server, to, 'd@example.org', { ...signed(now(), randomUUID()), token: 'another' })).toBe(401)
  expect((await relayMail(server, writeMail({ to, text: 'Raw' }), { to })).status).toBe(401)
  expect(await form(server, to, 'e@example.org', signed(now(), randomUUID()))).toBe(200)
})
