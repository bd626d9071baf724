import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Tag } from '#contract/conversations/conversations.ts'
import { lazyComponent } from '../../../platform/lazy/lazy-component.tsx'
import { Each } from '../../../ui/Each.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import styles from './TagEditor.module.css'
import { TagPill } from './TagPill.tsx'
import type { TagPlan } from './tag-plan.ts'

/** Loaded lazily, because tags are seldom edited. */
const TagEditing = lazyComponent(async () => (await import('./TagEditing.tsx')).TagEditing)

interface TagEditorProps {
  /** What the tags belong to, if there are several on the page. */
  label?: string
  editLabel?: string
  tags: Tag[]
  /** Applies the changes; throws if any was refused. */
  save: (plan: TagPlan) => Promise<void>
}

/** Shows tags, with an edit button. */
export function TagEditor({ label, editLabel, tags, save }: TagEditorProps) {
  const { t } = useTranslation()
  const [isEditing, setEditing] = useState(false)
  const title = label ?? t('tags.label')
  return (
    <section className={styles.section} aria-label={title}>
      <header className={styles.head}>
        <h3>{title}</h3>
        {!isEditing && <IconButton icon="edit" label={editLabel ?? t('tags.edit')} onClick={() => setEditing(true)} />}
      </header>
      {isEditing ? (
        <Suspense fallback={null}>
          <TagEditing tags={tags} save={save} done={() => setEditing(false)} />
        </Suspense>
      ) : (
        <div className={styles.tags}>
          {tags.length > 0 ? (
            <Each name="tag" items={tags} keyOf={(tag) => tag.id} fallback={() => <Undrawn />}>
              {(tag) => <TagPill tag={tag} />}
            </Each>
          ) : (
            <span className={styles.none}>{t('tags.none')}</span>
          )}
        </div>
      )}
    </section>
  )
}
