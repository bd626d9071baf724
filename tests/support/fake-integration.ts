import type { Feature } from '#server/feature.ts'
import type { InboundOutcome, Integration, OpenDelivery, Receipt, ReceivedEvent } from '#server/integration.ts'

/** A fake vendor's system: a mirror of conversations whose behaviour a test sets. */
export interface FakeIntegration {
  feature: Feature
  integration: Integration
  /** Deliveries in the order of sending. */
  sent: OpenDelivery[]
  /** The results of the next deliveries, in order; later ones succeed. */
  outcomes: (() => Promise<Receipt> | Receipt)[]
  /** Handles received events. */
  receive: (event: ReceivedEvent) => Promise<InboundOutcome> | InboundOutcome
  received: ReceivedEvent[]
  /** What it finds when it looks for a delivery of unknown outcome. */
  receipts: Map<string, Receipt>
  lookedFor: string[]
  /** Errors of the next such look-ups. */
  lookUpFailures: Error[]
}

export function fakeIntegration(
  role: Integration['role'] = 'mirror',
  name: Integration['name'] = 'mattermost',
): FakeIntegration {
  const fake: FakeIntegration = {
    sent: [],
    outcomes: [],
    received: [],
    receive: () => ({ state: 'done' }),
    receipts: new Map(),
    lookedFor: [],
    lookUpFailures: [],
    integration: {
      name,
      role,
      transport: 'called',
      plan: ({ event, authorizations, conversation }) =>
        event.type === 'message:created' && conversation
          ? authorizations
              .filter(({ inbox_id }) => inbox_id === null || inbox_id === conversation.inbox_id)
              .map(({ id }) => ({
                authorization_id: id,
                kind: 'post' as const,
                queue: conversation.id,
                conversation_id: conversation.id,
                message_id: event.message.id,
                payload: { body: event.message.body },
              }))
          : [],
      async deliver(_context, delivery) {
        fake.sent.push(delivery)
        const outcome = fake.outcomes.shift()
        return outcome ? outcome() : { external_id: `post-${delivery.message_id}` }
      },
      async findSent(_context, { id }) {
        fake.lookedFor.push(id)
        const failure = fake.lookUpFailures.shift()
        if (failure) throw failure
        return fake.receipts.get(id)
      },
      async receive(_context, event) {
        fake.received.push(event)
        return fake.receive(event)
      },
    },
    feature: { name: 'fake' },
  }
  fake.feature.integrations = [fake.integration]
  return fake
}
