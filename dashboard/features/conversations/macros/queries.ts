import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { conversations } from '#contract/conversations/conversations.ts'
import { type Macro, type MacroDraft, type MacroState, macros } from '#contract/conversations/macros.ts'
import type { AttributeValues } from '#contract/customers/attributes.ts'
import { tags } from '#contract/customers/tags.ts'
import { call } from '../../../platform/http/api.ts'

/** There are no events for changes. */
const FRESH_MS = 60_000

/** Shared macros and one's own, by name. */
export const macrosQuery = queryOptions({
  queryKey: ['macros'],
  queryFn: async ({ signal }) => (await call(macros.list, { signal })).data,
  refetchOnMount: 'always',
  staleTime: FRESH_MS,
})

/** Creates a macro, or changes the one with this id; whose it is stays. */
export async function saveMacro(client: QueryClient, id: string | undefined, draft: MacroDraft): Promise<void> {
  const { is_personal, ...changes } = draft
  if (id) await call(macros.update, { params: { id }, body: { macro: changes } })
  else await call(macros.create, { body: { macro: draft } })
  await client.invalidateQueries(macrosQuery)
}

export async function deleteMacro(client: QueryClient, id: string): Promise<void> {
  await call(macros.remove, { params: { id } })
  await client.invalidateQueries(macrosQuery)
}

/** Does the actions of a macro on a conversation. Returns the state before. */
export async function runMacro({ id }: Macro, conversation_id: string): Promise<MacroState> {
  return (await call(macros.run, { params: { id }, body: { conversation_id } })).data.before
}

/** Brings back the state from before a macro. What was written and sent stays. */
export async function restoreState(id: string, { tag_ids, ...before }: MacroState): Promise<void> {
  const params = { id }
  const { assignee_id, team_id, status, priority, is_snoozed, snoozed_until } = before
  const snoozed = is_snoozed ? { until: snoozed_until } : null
  const { data } = await call(conversations.get, { params, query: { messages: 'last' } })
  await call(conversations.update, { params, body: { conversation: { assignee_id, team_id, status, priority } } })
  if (is_snoozed !== (data.snoozed_at !== null))
    await call(conversations.update, { params, body: { conversation: { snoozed } } })
  // What was no single value cannot have been shown as an attribute, and stays as the macro set it.
  const values = Object.entries(before.attributes).filter(([, value]) => value === null || typeof value !== 'object')
  if (values.length > 0) {
    const attributes = Object.fromEntries(values) as AttributeValues
    await call(conversations.setAttributes, { params, body: { attributes } })
  }
  const current = data.tags.map((tag) => tag.id)
  for (const tag_id of tag_ids.filter((wantedId) => !current.includes(wantedId)))
    await call(tags.addToConversation, { params, body: { tag_id } })
  for (const tag_id of current.filter((currentId) => !tag_ids.includes(currentId)))
    await call(tags.removeFromConversation, { params: { id, tag_id } })
}
