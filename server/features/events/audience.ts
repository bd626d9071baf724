import type { EventDefinition } from '#contract/event.ts'
import { type ClientEvent, type Event, eventDefinitions } from '#contract/events.ts'
import { type CustomerSide, customerSide } from './customer-side.ts'

interface Audience {
  /** What every user of the account receives. */
  team?: ClientEvent
  /** What the customer concerned receives, where they may receive anything. */
  customer?: CustomerSide
  /** Narrower topics of the team, for clients that listen to one customer only. */
  topics?: { topic: string; event: string; payload: object }[]
  /** Sockets that rest on the rights of these customers, or of any if null, are asked again whether they may be there. */
  access?: { customer_ids: string[] | null }
}

const definitions = new Map<string, EventDefinition>(eventDefinitions.map((one) => [one.type, one as EventDefinition]))

/** Who receives an event, and in which words, by its declaration. Nobody, where a newer version wrote it. */
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
