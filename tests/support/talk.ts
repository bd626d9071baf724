import { vi } from 'vitest'
import { deliveries } from '#contract/connections/deliveries.ts'
import { integrations } from '#contract/connections/integrations.ts'
import { messages } from '#contract/conversations/messages.ts'
import { type Callers, expect } from './fixture.ts'
import type { TestServer } from './server.ts'
import { startConversation, startVisitor, type World } from './world.ts'

export const TIMEOUT = { timeout: 40_000, interval: 100 }

/** Messages on our side of a mirrored conversation. */
export class Talk {
  async disconnectAll(as: Callers): Promise<void> {
    for (const { id } of (await as.ada(integrations.list)).data) {
      await as.ada(integrations.remove, { params: { id }, query: { discard: 'true' } })
    }
  }

  /** A visitor writes one or more messages. */
  async write(server: TestServer, world: World, ...bodies: string[]) {
    const visitor = await startVisitor(server, world.acme.id, { name: 'Walker', email: 'walker@visitor.test' })
    const { conversation_id } = await startConversation(server, visitor, bodies[0])
    const more = async (body: string) => {
      const message = { conversation_id, body }
      await server.request('POST', '/api/messages', { token: visitor.token, body: { message } })
    }
    for (const body of bodies.slice(1)) await more(body)
    return { conversation_id, more, customer_id: visitor.customer_id }
  }

  async answer(as: Callers, conversation_id: string, body: string, more: object = {}) {
    return (await as.ada(messages.create, { body: { message: { conversation_id, body, ...more } } as never })).data
  }

  async bodiesOf(as: Callers, conversation_id: string) {
    const { data } = await as.ben(messages.list, { query: { conversation_id } as never })
    return data as {
      id: string
      body: string | null
      private: boolean
      user_id: number | null
      customer_id: string | null
      metadata: Record<string, unknown> | null
      attachments: { filename: string }[]
    }[]
  }

  /** The message with this text, once it exists. */
  async messageWith(as: Callers, conversation_id: string, body: string) {
    return vi.waitFor(async () => {
      const message = (await this.bodiesOf(as, conversation_id)).find((candidate) => candidate.body === body)
      expect(message).toBeDefined()
      return message!
    }, TIMEOUT)
  }

  async statesOf(as: Callers, conversation_id: string) {
    const { data } = await as.ben(deliveries.ofConversation, { params: { conversation_id } })
    return data.filter(({ kind }) => kind === 'post').map(({ state, problem }) => ({ state, problem }))
  }

  async allSent(as: Callers, conversation_id: string): Promise<void> {
    await vi.waitFor(async () => {
      const states = await this.statesOf(as, conversation_id)
      expect(states.length).toBeGreaterThan(0)
      expect(states.filter(({ state }) => state !== 'sent')).toEqual([])
    }, TIMEOUT)
  }
}
