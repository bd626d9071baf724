import { vi } from 'vitest'
import { deliveries } from '#contract/connections/deliveries.ts'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { whatsapp as calls } from '#contract/integrations/whatsapp.ts'
import {
  ACCESS_TOKEN,
  APP_SECRET,
  type CallBody,
  PHONE_ID,
  signedBody,
  startWhatsapp,
  WABA_ID,
  type WhatsappEmulator,
  type WhatsappPerson,
} from '../emulators/whatsapp.ts'
import { test as base, type Callers, expect } from './fixture.ts'
import type { TestServer } from './server.ts'
import type { World } from './world.ts'

/** The emulated Cloud API of the running test file. */
export let whatsapp: WhatsappEmulator
export const BASE_URL = 'https://support.acme.example'
export const TIMEOUT = { timeout: 40_000, interval: 100 }
export const DETAILS = {
  phone_number_id: PHONE_ID,
  business_account_id: WABA_ID,
  app_secret: APP_SECRET,
  access_token: ACCESS_TOKEN,
}

/** Tests of a server that uses it. */
export const test = base.extend('env', { scope: 'file' }, async ({ extra: _ }, { onCleanup }) => {
  whatsapp = await startWhatsapp()
  onCleanup(() => whatsapp.close())
  return { ...whatsapp.settings, BASE_URL, REACHABLE_HOSTS: '127.0.0.1' }
})

export async function connect(as: Callers, world: World, more: object = {}): Promise<string> {
  const authorization = { ...DETAILS, inbox_id: world.billing.id, ...more }
  return (await as.ada(calls.connect, { body: { authorization } })).data.id
}

/** Calls the server as Meta does. */
export function callAsMeta(server: TestServer, world: World, body: CallBody, secret?: string) {
  const { text, signature } = signedBody(body, secret)
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
  return server.request('POST', `/api/whatsapp/webhook?account=${world.acme.id}`, { headers, body: text })
}

/** The conversations over WhatsApp of a customer of this name. */
export async function listOf(as: Callers, name: string) {
  const { data } = await as.ben(conversations.list, { query: { limit: 100, source: 'whatsapp' } as never })
  return data.filter(({ customer }) => customer.name === name)
}

export async function threadOf(as: Callers, conversation_id: string) {
  const { data } = await as.ben(messages.list, { query: { conversation_id } as never })
  return data.toReversed()
}

/** Somebody writes a text, and the conversation in which it arrived. */
export async function write(as: Callers, server: TestServer, world: World, person: WhatsappPerson, body: string) {
  const call = whatsapp.say(person, { type: 'text', text: { body } })
  expect((await callAsMeta(server, world, call)).status).toBe(200)
  return findWith(as, person.name!, body)
}

/** The conversation of a person that contains a text. */
export async function findWith(as: Callers, name: string, body: string) {
  return vi.waitFor(async () => {
    for (const conversation of await listOf(as, name)) {
      const thread = await threadOf(as, conversation.id)
      // The list may be older than the thread, and know nothing of what came with the message.
      if (thread.some((message) => message.body?.includes(body)))
        return (await as.ben(conversations.get, { params: { id: conversation.id } })).data
    }
    throw new Error(`Nothing of ${name} contains “${body}”.`)
  }, TIMEOUT)
}

export const answer = (as: Callers, conversation_id: string, body: string, more: object = {}) =>
  as.ben(messages.create, { body: { message: { conversation_id, body, ...more } } })

export const deliveriesOf = async (as: Callers, conversation_id: string) =>
  (await as.ben(deliveries.ofConversation, { params: { conversation_id } })).data

/** What was sent to a number or id. */
export const sentTo = (to: string) => whatsapp.sent.filter((message) => message.to === to)

/** The texts that were sent to a number or id. */
export const textsTo = (to: string) => sentTo(to).map(({ json }) => (json.text as { body: string } | undefined)?.body)

/** Restores the state before a test. */
export async function endWhatsapp(as: Callers): Promise<void> {
  whatsapp.revoke(false)
  for (const { id } of (await as.ada(integrations.list)).data) {
    await as.ada(integrations.remove, { params: { id }, query: { discard: 'true' } })
  }
}
