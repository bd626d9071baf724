import * as z from 'zod/mini'
import { data, endpoint } from '../endpoint.ts'
import { BooleanInput, FilledText, Id, Text, Timestamp } from '../wire.ts'
import { ConversationActions } from './conversation-actions.ts'
import { ConversationRow, ConversationStatus, Priority } from './conversations.ts'

/** Actions that a person runs with one key, and a text for the composer. */
export const Macro = z.object({
  id: z.string(),
  object: z.literal('macro'),
  name: z.string(),
  is_personal: z.boolean().check(z.describe('Whether only its creator sees it.')),
  content: z.string().check(z.describe('Markdown that is inserted into the composer; empty for none.')),
  actions: ConversationActions,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Macro = z.output<typeof Macro>

/** The fields of a macro that can be changed; those left out stay. */
export const MacroChanges = z.partial(
  z.object({
    name: FilledText(100),
    content: Text(20_000).check(z.describe('Markdown for the composer; empty for none.')),
    actions: ConversationActions,
  }),
)
export type MacroChanges = z.output<typeof MacroChanges>

/** Input of creating a macro. */
export const MacroDraft = z.object({
  name: FilledText(100),
  is_personal: z._default(BooleanInput, false).check(z.describe('Whether only its creator sees it.')),
  content: z._default(Text(20_000), '').check(z.describe('Markdown for the composer; empty for none.')),
  actions: z._default(ConversationActions, []),
})
export type MacroDraft = z.output<typeof MacroDraft>

/** What a macro changed, so that it can be undone. */
export const MacroState = z.object({
  assignee_id: z.nullable(z.int32()),
  status: ConversationStatus.check(z.describe('`open` or `closed`.')),
  priority: Priority.check(z.describe('Whether it is in the priority list.')),
  is_snoozed: z.boolean().check(z.describe('Whether it was snoozed.')),
  snoozed_until: z.nullable(Timestamp).check(z.describe('Until when; null until the customer writes.')),
  tag_ids: z.array(z.string()).check(z.describe('Ids of its tags.')),
  team_id: z.nullable(z.string()).check(z.describe('The team that it belonged to.')),
  attributes: z
    .record(z.string(), z.unknown())
    .check(z.describe('The values of those attributes that the macro sets, by key; null for none.')),
})
export type MacroState = z.output<typeof MacroState>

/** Calls about macros. */
export const macros = {
  list: endpoint('user', 'GET', '/api/macros', {
    summary: 'Lists shared macros and those of the caller, by name.',
    answer: data(z.array(Macro)),
  }),
  create: endpoint('user', 'POST', '/api/macros', {
    summary: 'Creates a macro. Everybody may create personal ones, admins shared ones.',
    body: z.object({ macro: MacroDraft }),
    answer: data(Macro),
    status: 201,
  }),
  update: endpoint('user', 'PUT', '/api/macros/:id', {
    summary: 'Updates a macro: an own one, or for admins a shared one.',
    body: z.object({ macro: MacroChanges }),
    answer: data(Macro),
  }),
  remove: endpoint('user', 'DELETE', '/api/macros/:id', {
    summary: 'Deletes a macro: an own one, or for admins a shared one.',
    answer: z.null(),
    status: 204,
  }),
  run: endpoint('user', 'POST', '/api/macros/:id/run', {
    summary: 'Does the actions of a macro on a conversation: all of them, or none if one is refused.',
    body: z.object({ conversation_id: Id }),
    answer: data(
      z.object({
        conversation: ConversationRow,
        before: MacroState.check(z.describe('The state before, for undoing.')),
      }),
    ),
  }),
}
