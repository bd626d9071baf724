import type { Tag } from '#contract/conversations/conversations.ts'
import type { ClientEvent } from '#contract/events.ts'

type TagEvent = Extract<ClientEvent, { event: 'tag:updated' | 'tag:deleted' }>

/** Updates or removes one of a record's tags. Returns the same object if it does not have the tag. */
export function withTag<Tagged extends { tags?: Tag[] | undefined }>(
  tagged: Tagged,
  { event, payload }: TagEvent,
): Tagged {
  const { tags } = tagged
  if (!tags?.some(({ id }) => id === payload.id)) return tagged
  if (event === 'tag:updated') return { ...tagged, tags: tags.map((tag) => (tag.id === payload.id ? payload : tag)) }
  return { ...tagged, tags: tags.filter(({ id }) => id !== payload.id) }
}
