import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { ClientEvent } from '#contract/events.ts'

type Payload<Name extends ClientEvent['event']> = Extract<ClientEvent, { event: Name }>['payload']

/** Query keys to refetch after an event, or a function that returns them for a payload. */
export type Invalidations = {
  readonly [Name in ClientEvent['event']]?: readonly QueryKey[] | ((payload: Payload<Name>) => QueryKey[])
}

/** How events change the cached data of one feature. */
export interface FeatureEvents {
  /** Updates the cache for one event. Applying the same event twice must do no harm. */
  apply?(client: QueryClient, event: ClientEvent, user_id: number): void
  /** For lists whose content after an event only the server knows. */
  invalidates?: Invalidations
}
