import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent } from '../event.ts'
import { Timestamp } from '../wire.ts'

/**
 * Why a conversation was given to somebody, or to nobody: a person did it; it was their turn; they had the fewest open
 * ones; they gave it back; they were absent; or it was reopened while they could not take it.
 */
export const AssignmentReason = z.enum(['by_hand', 'in_turn', 'least_open', 'given_back', 'absent', 'reopened'])
export type AssignmentReason = z.output<typeof AssignmentReason>

/** An entry in the history of who had a conversation. */
export const Assignment = z.object({
  id: z.string(),
  object: z.literal('assignment'),
  conversation_id: z.string(),
  user_id: z.nullable(z.int32()).check(z.describe('Who was given it; null for nobody.')),
  from_user_id: z.nullable(z.int32()).check(z.describe('Whose it was before.')),
  by_user_id: z.nullable(z.int32()).check(z.describe('The person who did it; null if nobody did.')),
  reason: AssignmentReason,
  open_count: z
    .nullable(z.int32())
    .check(z.describe('How many open conversations the user then had, including this one; null if a person did it.')),
  open_limit: z.nullable(z.int32()).check(z.describe('How many they may be given; null for no limit.')),
  created_at: Timestamp,
})
export type Assignment = z.output<typeof Assignment>

/** A conversation was given to somebody, or to nobody. */
export const conversationAssigned = defineEvent('conversation:assigned', {
  receivers: 'team',
  payload: { assignment: Assignment },
})

const Count = data(z.object({ count: z.int32() }))

/** Calls about who has which conversations. */
export const assignments = {
  list: endpoint('user', 'GET', '/api/conversations/:id/assignments', {
    summary: 'Lists to whom a conversation was given and why, newest first, at most 50 entries.',
    answer: data(z.array(Assignment)),
  }),
  countWaiting: endpoint('user', 'GET', '/api/availability/waiting', {
    summary: 'Counts the caller’s open conversations whose customers wait for an answer.',
    answer: Count,
  }),
  giveBack: endpoint('user', 'POST', '/api/availability/give_back', {
    summary: 'Unassigns the caller’s open conversations whose customers wait for an answer. Teams give them to others.',
    answer: Count,
  }),
  disbandTeam: endpoint('admin', 'DELETE', '/api/teams/:id', {
    summary: 'Disbands a team. Its conversations are kept, and belong to no team. Repeating the call continues it.',
    answer: z.null(),
    status: 204,
  }),
}
