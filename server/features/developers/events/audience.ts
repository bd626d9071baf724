import type { EventDefinition } from '#contract/event.ts'
import { type ClientEvent, type Event, eventDefinitions } from '#contract/events.ts'
import { type CustomerSide, customerSide } from './customer-side.ts'

interface Audience {
  /** What every user of the account receives. */
  team?: ClientEvent
  /** What the customer receives, if anything. */
  customer?: CustomerSide
  /** Narrower topics of the team, for clients that listen to one customer only. */
  topics?: { topic: string; event: string; payload: object }[]
  /** Customers whose sockets are rechecked, because their access rights changed; null means all customers. */
  access?: { customer_ids: string[] | null }
}

const definitions = new Map<string, EventDefinition>(
  eventDefinitions.map((definition) => [definition.type, definition as EventDefinition]),
)

/** Who receives an event in which form, by its declaration. Nobody, if a newer version wrote it. */
export function audience(event: Event): Audience {
  const { type, ...payload } = event
  const definition = definitions.get(type)
  if (!definition) return {}
  const customer_ids = definition.access?.(payload)
  return {
    team: definition.forTeam(payload) as ClientEvent | undefined,
    customer: customerSide(event),
    topics: definition.topics?.(payload),
    ...(customer_ids !== undefined && { access: { customer_ids } }),
  }
}
