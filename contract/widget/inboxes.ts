import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { defineEvent, Gone } from '../event.ts'
import { BooleanInput, FilledText, ifAny, maybe, Name, Text, Timestamp } from '../wire.ts'
import { Installation } from './widget-settings.ts'
import { MAX_WORKING_HOURS, WorkingHours } from './working-hours.ts'

/** When the assistant answers new chats first, before the team does. */
export const FirstAnswers = z.enum(['never', 'outside_working_hours', 'nobody_there', 'always'])
export type FirstAnswers = z.output<typeof FirstAnswers>

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
  sender_name: z
    .nullable(z.string())
    .check(z.describe('Sender of its mails, such as `{agent} from {company}`; null for the name of whoever wrote.')),
  mail_signature: z
    .nullable(z.string())
    .check(z.describe('Shown below replies by mail of people who have no signature of their own.')),
  rating_mail_hours: z
    .nullable(z.int32())
    .check(z.describe('Hours after closing when customers are asked for a rating by mail; null for never.')),
  first_answers: FirstAnswers.check(
    z.describe('When the assistant answers new chats first, from published articles of the help centre.'),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Inbox = z.output<typeof Inbox>

/** Fields of an inbox for creating or changing it. */
export const InboxDraft = z.object({
  name: FilledText(255),
  description: maybe(Text(2000)),
  is_private: ifAny(BooleanInput).check(z.describe('Kept for clients that read it; all users see all inboxes.')),
  working_hours: maybe(z.array(WorkingHours).check(z.maxLength(MAX_WORKING_HOURS))).check(
    z.describe('Its own working hours; null if those of the account apply.'),
  ),
  sender_name: maybe(Name(100)).check(
    z.describe('Sender of its mails, such as `{agent} from {company}`; null for the name of whoever wrote.'),
  ),
  mail_signature: maybe(Text(2000)).check(
    z.describe('Shown below replies by mail of people who have no signature of their own.'),
  ),
  rating_mail_hours: maybe(z.int32().check(z.gte(1), z.lte(168))).check(
    z.describe('Hours after closing when customers are asked for a rating by mail; null for never.'),
  ),
  first_answers: ifAny(FirstAnswers).check(
    z.describe('When the assistant answers new chats first, from published articles of the help centre.'),
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

/**
 * The name that a mail of an inbox is sent by. Where customers see the company instead of people, or nobody wrote it,
 * `agent` is the company, and the name is the company's alone.
 */
export function senderName(
  { sender_name }: Pick<Inbox, 'sender_name'>,
  { agent, company }: { agent: string; company: string },
): string {
  const pattern = sender_name?.trim()
  if (!pattern || (agent === company && pattern.includes('{agent}'))) return agent
  return pattern.replaceAll('{agent}', () => agent).replaceAll('{company}', () => company)
}
