import { useQueryClient } from '@tanstack/react-query'
import type { Conversation } from '#contract/conversations.ts'
import { tags } from '#contract/tags.ts'
import { call } from '../../../platform/http/api.ts'
import { useTeam } from '../../accounts/account.ts'
import { createTag } from '../../tags/queries.ts'
import { TagEditor } from '../../tags/TagEditor.tsx'
import type { TagPlan } from '../../tags/tag-plan.ts'
import { applyConversationEvent } from '../cache.ts'

/** The tags of a conversation. Those that others put on show at once. */
export function ConversationTags({ conversation }: { conversation: Conversation }) {
  const client = useQueryClient()
  const { me } = useTeam()
  const { id } = conversation

  async function save({ create, add, remove }: TagPlan) {
    const created: string[] = []
    for (const draft of create) created.push((await createTag(client, draft)).id)
    for (const tag_id of [...add, ...created]) {
      await call(tags.addToConversation, { params: { id }, body: { tag_id } })
    }
    for (const tag_id of remove) await call(tags.removeFromConversation, { params: { id, tag_id } })
    const { data } = await call(tags.list, {})
    const kept = conversation.tags.map((tag) => tag.id).filter((tag_id) => !remove.includes(tag_id))
    const carried = new Set([...kept, ...add, ...created])
    const payload = { id, tags: data.filter((tag) => carried.has(tag.id)) }
    applyConversationEvent(client, { event: 'conversation:tagged', payload }, me.id)
  }
  return <TagEditor tags={conversation.tags} save={save} />
}
