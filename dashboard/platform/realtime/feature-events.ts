import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { ClientEvent } from '#contract/events.ts'

type Payload<Name extends ClientEvent['event']> = Extract<ClientEvent, { event: Name }>['payload']

/** After which events which queries are asked again: their keys, or a function that tells them from the payload. */
export type Invalidations = {
  readonly [Name in ClientEvent['event']]?: readonly QueryKey[] | ((payload: Payload<Name>) => QueryKey[])
}

/** What events do to the cached data of one feature. */
export interface FeatureEvents {
  /** Brings the cache up to date with one event. Applying the same event twice must do no harm. */
  apply?(client: QueryClient, event: ClientEvent, user_id: number): void
  /** For lists of which only the server knows what belongs into them after an event. */
  invalidates?: Invalidations
}
