import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent, Gone } from '../event.ts'
import { BooleanInput, FilledText, Id, IntegerBetween, IntegerInput, ifAny, maybe, Timestamp } from '../wire.ts'

/** Who gets the conversations of a team: whom people choose, each in turn, or whoever has the fewest open ones. */
export const AssignmentMode = z.enum(['by_hand', 'in_turn', 'least_open'])
export type AssignmentMode = z.output<typeof AssignmentMode>

/** A user in a team. */
export const TeamMember = z.object({
  user_id: z.int32(),
  open_limit: z
    .nullable(z.int32())
    .check(z.describe('How many open conversations they are given at most; null for the limit of the team.')),
})
export type TeamMember = z.output<typeof TeamMember>

/** A named group of users to which conversations may belong. */
export const Team = z.object({
  id: z.string(),
  object: z.literal('team'),
  account_id: z.string(),
  name: z.string(),
  assignment: AssignmentMode.check(
    z.describe('Who gets its conversations: `by_hand`, each `in_turn`, or whoever has the `least_open`.'),
  ),
  has_everybody: z.boolean().check(z.describe('All users are members, including those who join later.')),
  open_limit: z
    .nullable(z.int32())
    .check(z.describe('How many open conversations a member is given at most; null for no limit.')),
  return_after_minutes: z
    .nullable(z.int32())
    .check(
      z.describe(
        'After how many minutes of absence conversations that wait for an answer go to others; null for never.',
      ),
    ),
  members: z
    .array(TeamMember)
    .check(z.describe('If everybody is a member, only those with a limit of their own are listed.')),
  inbox_ids: z.array(z.string()).check(z.describe('New conversations of these inboxes belong to the team.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Team = z.output<typeof Team>

const OpenLimit = maybe(IntegerBetween(1, 1000, 'should be from 1 to 1000'))

/** Fields of a team for creating or changing it; those left out stay. */
export const TeamDraft = z.object({
  name: FilledText(100),
  assignment: ifAny(AssignmentMode).check(
    z.describe('Who gets its conversations: `by_hand`, each `in_turn`, or whoever has the `least_open`.'),
  ),
  has_everybody: ifAny(BooleanInput).check(z.describe('All users are members, including those who join later.')),
  open_limit: OpenLimit.check(z.describe('How many open conversations a member is given at most; null for no limit.')),
  return_after_minutes: maybe(IntegerBetween(1, 10_080, 'should be from 1 to 10080')).check(
    z.describe('After how many minutes of absence conversations that wait for an answer go to others; null for never.'),
  ),
  members: z
    .optional(
      z
        .array(
          z.object({
            user_id: IntegerInput,
            open_limit: OpenLimit.check(
              z.describe('How many open conversations they are given at most; null for the limit of the team.'),
            ),
          }),
        )
        .check(z.maxLength(500)),
    )
    .check(z.describe('Replaces all members.')),
  inbox_ids: z
    .optional(z.array(Id).check(z.maxLength(500)))
    .check(z.describe('Replaces all its inboxes. An inbox belongs to one team at most.')),
})
export type TeamDraft = z.output<typeof TeamDraft>
const TeamChanges = z.partial(TeamDraft)
export type TeamChanges = z.output<typeof TeamChanges>

/** A team was created or changed. */
export const teamUpdated = defineEvent('team:updated', { receivers: 'team', payload: { team: Team } })

/** A team was disbanded. */
export const teamDeleted = defineEvent('team:deleted', {
  receivers: 'team',
  payload: { team_id: z.string() },
  sends: Gone,
  as: ({ team_id: id }) => ({ id }),
})

/** Calls about teams. */
export const teams = {
  list: endpoint('user', 'GET', '/api/teams', { summary: 'Lists the teams by name.', answer: data(z.array(Team)) }),
  get: endpoint('user', 'GET', '/api/teams/:id', { summary: 'Returns a team.', answer: data(Team) }),
  create: endpoint('admin', 'POST', '/api/teams', {
    summary: 'Creates a team.',
    body: z.object({ team: TeamDraft }),
    answer: data(Team),
    status: 201,
  }),
  update: endpoint('admin', 'PUT', '/api/teams/:id', {
    summary: 'Updates a team, its members and its inboxes.',
    body: z.object({ team: TeamChanges }),
    answer: data(Team),
  }),
}
