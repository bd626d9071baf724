import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Tag } from '#contract/conversations.ts'
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import styles from './TagEditor.module.css'
import { TagPill } from './TagPill.tsx'
import type { TagPlan } from './tag-plan.ts'

/** Few who look at tags change them. */
const TagEditing = lazyComponent(async () => (await import('./TagEditing.tsx')).TagEditing)

interface TagEditorProps {
  /** What they are tags of, where more than one thing on screen has some. */
  label?: string
  editLabel?: string
  tags: Tag[]
  /** Does what was planned; throws when something of it was refused. */
  save: (plan: TagPlan) => Promise<void>
}

/** The tags of something, to look at and, behind the pen, to change. */
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
            tags.map((tag) => <TagPill key={tag.id} tag={tag} />)
          ) : (
            <span className={styles.none}>{t('tags.none')}</span>
          )}
        </div>
      )}
    </section>
  )
}
