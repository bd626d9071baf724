import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Conversation, conversations } from '#contract/conversations/conversations.ts'
import { sharing } from '#contract/conversations/sharing.ts'
import type { AttributeValues } from '#contract/customers/attributes.ts'
import { tags } from '#contract/customers/tags.ts'
import type { BodyInput } from '#contract/endpoint.ts'
import { slackThreads } from '#contract/integrations/slack-threads.ts'
import { conversationForwarding } from '#contract/mail/conversation-forwarding.ts'
import { call } from '../../../../platform/http/api.ts'
import { createTags } from '../../../customers/tags/queries.ts'
import type { TagPlan } from '../../../customers/tags/tag-plan.ts'
import { applyConversationEvent } from '../cache.ts'
import { conversationKeys } from '../keys.ts'

const FRESH_MS = 60_000

/** How many of a customer's other conversations are shown. */
export const RELATED_SHOWN = 3

/** The customer's previous conversation, or null. */
export function previousQuery(id: string) {
  return queryOptions({
    queryKey: conversationKeys.previous(id),
    queryFn: async ({ signal }) => (await call(conversations.previous, { params: { id }, signal })).data,
    staleTime: FRESH_MS,
  })
}

/** The customer's latest other conversations. */
export function relatedQuery(id: string) {
  return queryOptions({
    queryKey: conversationKeys.related(id),
    queryFn: async ({ signal }) => {
      const query = { limit: RELATED_SHOWN }
      return (await call(conversations.related, { params: { id }, query, signal })).data
    },
    staleTime: FRESH_MS,
  })
}

/** Sets attributes of a conversation; null clears one. Others stay. */
export async function setConversationAttribute(
  client: QueryClient,
  id: string,
  attributes: AttributeValues,
  user_id: number,
): Promise<void> {
  const { data } = await call(conversations.setAttributes, { params: { id }, body: { attributes } })
  applyConversationEvent(client, { event: 'conversation:updated', payload: { id, updates: data } }, user_id)
}

/** The conversation's threads in Slack. */
export function slackThreadsQuery(conversation_id: string) {
  return queryOptions({
    queryKey: ['slack-threads', conversation_id] as const,
    queryFn: async ({ signal }) => (await call(slackThreads.list, { query: { conversation_id }, signal })).data,
  })
}

/** The public links to a conversation. */
export function sharesQuery(id: string) {
  return queryOptions({
    queryKey: conversationKeys.shares(id),
    queryFn: async ({ signal }) => (await call(sharing.list, { params: { id }, signal })).data,
    staleTime: 0,
  })
}

/** Creates a public link to a conversation, valid for a day, and returns its address. */
export async function shareConversation(client: QueryClient, id: string): Promise<string> {
  const { data } = await call(sharing.share, { params: { id } })
  client.setQueryData(sharesQuery(id).queryKey, (shares) => [data.share, ...(shares ?? [])])
  return `${location.origin}/share?${new URLSearchParams({ cid: id, token: data.token })}`
}

export async function revokeShare(client: QueryClient, id: string, share_id: string): Promise<void> {
  await call(sharing.revoke, { params: { id, share_id } })
  client.setQueryData(sharesQuery(id).queryKey, (shares) => shares?.filter((share) => share.id !== share_id))
}

/** Sends a conversation by email. */
export async function forwardConversation(
  id: string,
  forward: BodyInput<typeof conversationForwarding.forward>['forward'],
): Promise<void> {
  await call(conversationForwarding.forward, { params: { id }, body: { forward } })
}

/** Adds and removes tags, as the user `me`. New tags are created first. */
export async function tagConversation(client: QueryClient, conversation: Conversation, plan: TagPlan, me: number) {
  const { id } = conversation
  const { create, add, remove } = plan
  const created = await createTags(client, create)
  for (const tag_id of [...add, ...created]) {
    await call(tags.addToConversation, { params: { id }, body: { tag_id } })
  }
  for (const tag_id of remove) await call(tags.removeFromConversation, { params: { id, tag_id } })
  const { data } = await call(tags.list, {})
  const remaining = conversation.tags.map((tag) => tag.id).filter((tag_id) => !remove.includes(tag_id))
  const carried = new Set([...remaining, ...add, ...created])
  const payload = { id, tags: data.filter((tag) => carried.has(tag.id)) }
  applyConversationEvent(client, { event: 'conversation:tagged', payload }, me)
}
