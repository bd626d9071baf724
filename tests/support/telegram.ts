import { vi } from 'vitest'
import { deliveries } from '#contract/connections/deliveries.ts'
import { integrations } from '#contract/connections/integrations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { telegram as calls } from '#contract/integrations/telegram.ts'
import { BOT_TOKEN, startTelegram, type Telegram } from '../emulators/telegram.ts'
import { test as base, type Callers, expect } from './fixture.ts'
import type { World } from './world.ts'

/** The emulated Telegram of the running test file. */
export let telegram: Telegram
/** Tests of a server that uses it. Polls are short, so that many of them follow each other. */
export const test = base
  .extend('env', { scope: 'file' }, async ({ extra: _ }, { onCleanup }) => {
    telegram = await startTelegram()
    onCleanup(() => telegram.close())
    return telegram.settings
  })
  .extend(
    'extra',
    { scope: 'file' },
    { timing: { silence: 1_000, answer: 1_500, firstWait: 50, longestWait: 200, holds: 5_000 } },
  )
export const TIMEOUT = { timeout: 40_000, interval: 50 }

let people = 5_000_000_000
/** A person who has never written before. Their id does not fit into 32 bits, like those of new accounts. */
export const newPerson = (first_name = 'Nina', more: object = {}) => ({ id: people++, first_name, ...more })

export async function connect(as: Callers, world: World, more: object = {}): Promise<string> {
  const connection = { token: BOT_TOKEN, inbox_id: world.billing.id, ...more }
  const { data } = await as.ada(calls.connect, { body: { connection } })
  if (!data.ok) throw new Error(`Taken by ${data.webhook_host}`)
  return data.id
}

/** The conversations of a person, by their first name, newest first. */
export async function listOf(as: Callers, { first_name }: { first_name: string }) {
  const { data } = await as.ben(conversations.list, { query: { limit: 100 } as never })
  return data.filter(({ source, customer }) => source === 'telegram' && customer.name?.startsWith(first_name))
}

export async function threadOf(as: Callers, conversation_id: string) {
  const { data } = await as.ben(messages.list, { query: { conversation_id } as never })
  return data.toReversed()
}

/** The conversation of a person once it contains this many messages. */
export async function waitForThread(as: Callers, person: { first_name: string }, count = 1) {
  return vi.waitFor(async () => {
    const [conversation] = await listOf(as, person)
    expect(conversation).toBeDefined()
    const thread = await threadOf(as, conversation!.id)
    expect(thread.length).toBeGreaterThanOrEqual(count)
    return { conversation: conversation!, thread }
  }, TIMEOUT)
}

export const answer = (as: Callers, conversation_id: string, body: string, more: object = {}) =>
  as.ben(messages.create, { body: { message: { conversation_id, body, ...more } } })

export const deliveriesOf = async (as: Callers, conversation_id: string) =>
  (await as.ben(deliveries.ofConversation, { params: { conversation_id } })).data

export const sentTo = ({ id }: { id: number }) => telegram.sent.filter(({ chat_id }) => chat_id === String(id))

export const health = async (as: Callers) => (await as.ada(integrations.list)).data[0]!

/** Restores the state before a test. */
export async function endTelegram(as: Callers): Promise<void> {
  telegram.isRevoked = false
  telegram.isPolledElsewhere = false
  telegram.webhook = null
  telegram.disturb(() => undefined)
  for (const { id } of (await as.ada(integrations.list)).data) {
    await as.ada(integrations.remove, { params: { id }, query: { discard: 'true' } })
  }
}
