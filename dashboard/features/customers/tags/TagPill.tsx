import type { Tag } from '#contract/conversations/conversations.ts'
import styles from './TagPill.module.css'

/** A tag in its color. */
export function TagPill({ tag }: { tag: Tag }) {
  return (
    <span className={styles.tag} data-color={tag.color ?? undefined} title={tag.description ?? undefined} dir="auto">
      {tag.name}
    </span>
  )
}
