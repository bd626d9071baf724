import type { Tag } from '#contract/conversations/conversations.ts'
import { TAG_COLORS } from '#contract/customers/tags.ts'

export interface TagPlan {
  /** Tags to create and then add. */
  create: { name: string; color: string }[]
  /** Ids of tags to add. */
  add: string[]
  /** Ids of tags to remove. */
  remove: string[]
}

/**
 * The changes needed so that a record has exactly the tags of these names. Names that differ only in case or
 * surrounding spaces are the same tag. New tags get the colors in turn.
 */
export function planTags(existing: readonly Tag[], current: readonly Tag[], names: readonly string[]): TagPlan {
  const chosen = new Map(names.map((name) => [keyOf(name), name.trim()]))
  chosen.delete('')
  const byKey = new Map([...existing, ...current].map((tag) => [keyOf(tag.name), tag]))
  const currentIds = new Set(current.map((tag) => tag.id))
  const fresh = [...chosen].filter(([key]) => !byKey.has(key)).map(([, name]) => name)
  const targetIds = [...chosen.keys()].flatMap((key) => byKey.get(key)?.id ?? [])
  return {
    create: fresh.map((name, at) => ({ name, color: TAG_COLORS[at % TAG_COLORS.length] ?? TAG_COLORS[0] })),
    add: targetIds.filter((id) => !currentIds.has(id)),
    remove: current.filter((tag) => !targetIds.includes(tag.id)).map((tag) => tag.id),
  }
}

function keyOf(name: string): string {
  return name.trim().toLocaleLowerCase()
}
