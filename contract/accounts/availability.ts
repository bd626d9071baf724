import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { BooleanInput, Timestamp } from '../wire.ts'

/** Whether a user can be given conversations. */
export const Availability = z.object({
  user_id: z.int32(),
  away_at: z.nullable(Timestamp).check(z.describe('Since when they are away, as they said; null if they are not.')),
  last_present_at: z
    .nullable(Timestamp)
    .check(z.describe('When they last used the dashboard, to the minute; null if never.')),
})
export type Availability = z.output<typeof Availability>

/** A user came back to the dashboard, went away, or is no longer away. */
export const availabilityUpdated = defineEvent('availability:updated', {
  receivers: 'team',
  payload: { availability: Availability },
})

/** Calls about who can be given conversations. */
export const availability = {
  list: endpoint('user', 'GET', '/api/availability', {
    summary: 'Lists who is away, and when each user last used the dashboard.',
    answer: data(z.array(Availability)),
  }),
  update: endpoint('user', 'PUT', '/api/availability', {
    summary: 'Sets whether the caller is away. Nobody who is away is given conversations automatically.',
    body: z.object({
      availability: z.object({ away: BooleanInput.check(z.describe('True to go away, false to come back.')) }),
    }),
    answer: data(Availability),
  }),
}
