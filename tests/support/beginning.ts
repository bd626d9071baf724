import { vi } from 'vitest'
import { events } from '#contract/events.ts'
import { type Callers, expect } from './fixture.ts'

const TIMEOUT = { timeout: 20_000, interval: 100 }

/** Expects that a conversation began as documented: it is announced without messages, and then its first message. */
export async function expectBeginning(as: Callers, cursor: string, conversation_id: string): Promise<void> {
  await vi.waitFor(async () => {
    const { data } = await as.ben(events.after, { query: { after: cursor, limit: 500 } })
    const own = data.filter((event) => JSON.stringify(event).includes(conversation_id))
    // Some events are received twice.
    const distinct = [...new Map(own.map((event) => [JSON.stringify(event), event])).values()]
    const [created, first] = distinct.filter(({ event }) => /^(conversation:created|shout)$/.test(event))
    expect(created).toMatchObject({ event: 'conversation:created', payload: { id: conversation_id } })
    expect(created).not.toHaveProperty('payload.messages.0')
    expect(first).toMatchObject({ event: 'shout', payload: { conversation_id, number: 1 } })
  }, TIMEOUT)
}
