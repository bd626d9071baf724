import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent, Gone } from '../event.ts'
import { FilledText, GivenBoolean, ifAny, maybe, Text, Timestamp } from '../wire.ts'
import { Installation } from './widget-settings.ts'
import { MAX_WORKING_HOURS, WorkingHours } from './working-hours.ts'

/** An inbox: its channels, its widget and its conversations. */
export const Inbox = z.object({
  id: z.string(),
  object: z.literal('inbox'),
  account_id: z.string(),
  name: z.string(),
  description: z.nullable(z.string()),
  slug: z.nullable(z.string()).check(z.describe('Short name for URLs.')),
  is_primary: z.boolean().check(z.describe('Conversations without a chosen inbox go there.')),
  team_id: z.nullable(z.string()).check(z.describe('The team of its new conversations; null for none.')),
  is_private: z.boolean().check(z.describe('Kept for clients that read it; all users see all inboxes.')),
  working_hours: z
    .nullable(z.array(WorkingHours))
    .check(z.describe('Its own working hours; null if those of the account apply.')),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Inbox = z.output<typeof Inbox>

/** Fields of an inbox for creating or changing it. */
export const InboxDraft = z.object({
  name: FilledText(255),
  description: maybe(Text(2000)),
  is_private: ifAny(GivenBoolean).check(z.describe('Kept for clients that read it; all users see all inboxes.')),
  working_hours: maybe(z.array(WorkingHours).check(z.maxLength(MAX_WORKING_HOURS))).check(
    z.describe('Its own working hours; null if those of the account apply.'),
  ),
})
export type InboxDraft = z.output<typeof InboxDraft>

/** An inbox was created or changed. */
export const inboxUpdated = defineEvent('inbox:updated', {
  receivers: 'team',
  payload: { inbox: Inbox },
})

/** An inbox was deleted, after its conversations were moved. */
export const inboxDeleted = defineEvent('inbox:deleted', {
  receivers: 'team',
  payload: { inbox_id: z.string() },
  sends: Gone,
  as: ({ inbox_id: id }) => ({ id }),
})

/** Calls about inboxes. */
export const inboxes = {
  list: endpoint('user', 'GET', '/api/inboxes', {
    summary: 'Lists the inboxes, most recently updated first.',
    answer: data(z.array(Inbox)),
  }),
  primary: endpoint('user', 'GET', '/api/inboxes/primary', {
    summary: 'Returns the primary inbox, where conversations arrive by default.',
    answer: data(z.nullable(Inbox)),
  }),
  get: endpoint('user', 'GET', '/api/inboxes/:id', { summary: 'Returns an inbox.', answer: data(Inbox) }),
  installation: endpoint('user', 'GET', '/api/inboxes/:id/installation', {
    summary: 'Returns the page on which the widget of an inbox was last opened.',
    answer: data(Installation),
  }),
  create: endpoint('admin', 'POST', '/api/inboxes', {
    summary: 'Creates an inbox.',
    body: z.object({ inbox: InboxDraft }),
    answer: data(Inbox),
    status: 201,
  }),
  update: endpoint('admin', 'PUT', '/api/inboxes/:id', {
    summary: 'Updates name, description, working hours or the private mark.',
    body: z.object({ inbox: z.partial(InboxDraft) }),
    answer: data(Inbox),
  }),
}
