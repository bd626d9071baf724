import { randomBytes } from 'node:crypto'
import { vi } from 'vitest'
import { customerProfiles } from '#contract/customers/customer-profiles.ts'
import { ACCOUNT_SID } from '#tests/emulators/twilio.ts'
import { expect } from '#tests/support/fixture.ts'
import { readForm } from '#tests/support/payload.ts'
import {
  answer,
  connect,
  deliveriesOf,
  endTwilio,
  listSms,
  sendForm,
  TIMEOUT,
  test,
  threadOf,
  twilio,
} from '#tests/support/twilio.ts'

// Twilio's payloads with all documented fields: most are ignored, and all are signed.
test.afterEach(({ as }) => endTwilio(as))

const newSid = () => `SM${randomBytes(16).toString('hex')}`

const readCall = (fixture: string, values: Record<string, string>) =>
  readForm(`twilio/fixtures/${fixture}.form`, { account: ACCOUNT_SID, ...values })

test('text messages, pictures and delivery states are read from real calls of Twilio', async ({
  as,
  server,
  world,
}) => {
  await connect(as, world)
  const from = '+12025550181'
  const readMessage = (fixture: string, values: Record<string, string> = {}) => readCall(fixture, { from, ...values })
  const form = readMessage('incoming-sms', { sid: newSid(), body: 'Xin chào & “hello” + 100%' })
  for (const _ of [1, 2]) expect((await sendForm(server, form)).status).toBe(204)
  const [{ id } = { id: '' }] = await vi.waitFor(async () => {
    const all = await listSms(as, from)
    expect(all).toHaveLength(1)
    return all
  }, TIMEOUT)
  const picture = {
    type: 'image/gif',
    bytes: Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64'),
  }
  const received = await twilio.receive(from, { body: 'Look', media: [picture] })
  const picturesOf = { sid: received.get('MessageSid')!, body: 'Look', url: received.get('MediaUrl0')! }
  expect((await sendForm(server, readMessage('incoming-mms', picturesOf))).status).toBe(204)
  await vi.waitFor(async () => {
    expect((await threadOf(as, id)).map(({ body, attachments }) => [body, attachments.length])).toEqual([
      ['Xin chào & “hello” + 100%', 0],
      ['Look', 1],
    ])
  }, TIMEOUT)

  await answer(as, id, 'Hello')
  await vi.waitFor(async () => expect(await deliveriesOf(as, id)).toMatchObject([{ state: 'sent' }]), TIMEOUT)
  const sent = (await twilio.sent()).find(({ to }) => to === from)!
  const became = (status: string) => readCall(`status-${status}`, { sid: sent.sid, to: from })
  expect((await sendForm(server, became('undelivered'))).status).toBe(204)
  const isFailed = async () =>
    expect(await deliveriesOf(as, id)).toMatchObject([{ state: 'failed', problem: expect.any(String) }])
  await vi.waitFor(isFailed, TIMEOUT)
  // Late or out of order, it changes nothing.
  expect((await sendForm(server, became('delivered'))).status).toBe(204)
  await isFailed()
})

test('an opt-out in another language is recognised by Twilio’s OptOutType', async ({ as, server, world }) => {
  await connect(as, world)
  const from = '+12025550182'
  const receiveOptOut = async (type: 'STOP' | 'START' | 'HELP', body: string) => {
    const values = { from, type, body, sid: newSid(), service: twilio.service_sid }
    expect((await sendForm(server, readCall('opt-out', values))).status).toBe(204)
    await vi.waitFor(async () => {
      const [conversation] = await listSms(as, from)
      expect((await threadOf(as, conversation!.id)).map((message) => message.body)).toContain(body)
    }, TIMEOUT)
    const [{ customer_id } = { customer_id: '' }] = await listSms(as, from)
    return (await as.ben(customerProfiles.get, { params: { id: customer_id } })).data.metadata ?? {}
  }
  expect(await receiveOptOut('HELP', 'Giúp')).not.toHaveProperty('sms_unsubscribed_at')
  expect(await receiveOptOut('STOP', 'Dừng')).toHaveProperty('sms_unsubscribed_at')
  expect(await receiveOptOut('START', 'Bắt đầu')).not.toHaveProperty('sms_unsubscribed_at')
})
