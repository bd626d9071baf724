import { vi } from 'vitest'
import { deliveries } from '#contract/connections/deliveries.ts'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { twilio as calls } from '#contract/integrations/twilio.ts'
import { ACCOUNT_SID, AUTH_TOKEN, NUMBER, startTwilio, type Twilio } from '../emulators/twilio.ts'
import { test as base, type Callers, expect } from './fixture.ts'
import type { TestServer } from './server.ts'
import type { World } from './world.ts'

/** The emulated Twilio of the running test file. */
export let twilio: Twilio
export const BASE_URL = 'https://support.acme.example'
export const WEBHOOK = '/api/twilio/webhook'
/** Tests of a server that uses it, and may fetch files from this machine. */
export const test = base.extend('env', { scope: 'file' }, async ({ extra: _ }, { onCleanup }) => {
  twilio = await startTwilio()
  onCleanup(() => twilio.close())
  return { ...twilio.settings, BASE_URL, REACHABLE_HOSTS: '127.0.0.1' }
})
export const TIMEOUT = { timeout: 40_000, interval: 100 }
export const DETAILS = { twilio_account_sid: ACCOUNT_SID, twilio_auth_token: AUTH_TOKEN, from_phone_number: NUMBER }

export async function connect(as: Callers, world: World, more: object = {}): Promise<string> {
  const authorization = { ...DETAILS, inbox_id: world.billing.id, ...more }
  const { data } = await as.ada(calls.connect, { body: { authorization } })
  if (!data.ok) throw new Error(data.error)
  return data.id
}

/** Sends a form as Twilio does. */
export function sendForm(server: TestServer, form: URLSearchParams, signature = twilio.sign(BASE_URL + WEBHOOK, form)) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature }
  return server.request('POST', WEBHOOK, { headers, body: form.toString() })
}

export async function listSms(as: Callers, phone: string) {
  const { data } = await as.ben(conversations.list, { query: { limit: 100 } as never })
  return data.filter(({ source, customer }) => source === 'sms' && customer.phone === phone)
}

export async function threadOf(as: Callers, conversation_id: string) {
  const { data } = await as.ben(messages.list, { query: { conversation_id } as never })
  return data.toReversed()
}

/** Somebody writes, which starts a conversation. */
export async function write(as: Callers, server: TestServer, from: string, body: string) {
  expect((await sendForm(server, await twilio.receive(from, { body }))).status).toBe(204)
  await vi.waitFor(async () => {
    const [conversation] = await listSms(as, from)
    expect((await threadOf(as, conversation!.id)).map((message) => message.body)).toContain(body)
  }, TIMEOUT)
  // Read again, because the message may have arrived between the two calls.
  return (await listSms(as, from))[0]!
}

export const answer = (as: Callers, conversation_id: string, body: string, more: object = {}) =>
  as.ben(messages.create, { body: { message: { conversation_id, body, ...more } } })

export const deliveriesOf = async (as: Callers, conversation_id: string) =>
  (await as.ben(deliveries.ofConversation, { params: { conversation_id } })).data

export const sentTo = async (number: string) =>
  (await twilio.sent()).filter(({ to }) => to === number).map(({ body }) => body)

export const health = async (as: Callers) => (await as.ada(integrations.list)).data[0]!

/** Restores the state before a test. */
export async function endTwilio(as: Callers): Promise<void> {
  twilio.revoke(false)
  for (const { id } of (await as.ada(integrations.list)).data) {
    await as.ada(integrations.remove, { params: { id }, query: { discard: 'true' } })
  }
}
