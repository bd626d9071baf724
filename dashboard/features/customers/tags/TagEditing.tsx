import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Tag } from '#contract/conversations/conversations.ts'
import { TAG_COLORS } from '#contract/customers/tags.ts'
import { errorText, logError } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { MultiSelect } from '../../../ui/MultiSelect.tsx'
import { tagsQuery } from './queries.ts'
import styles from './TagEditor.module.css'
import { planTags, type TagPlan } from './tag-plan.ts'

interface TagEditingProps {
  tags: Tag[]
  /** Applies the changes; throws if any was refused. */
  save: (plan: TagPlan) => Promise<void>
  done: () => void
}

/** Chooses existing tags, and creates new ones from other words. */
export function TagEditing({ tags, save, done }: TagEditingProps) {
  const { t } = useTranslation()
  const query = useQuery(tagsQuery)
  const [names, setNames] = useState(() => tags.map((tag) => tag.name))
  const [isUpdating, setUpdating] = useState(false)
  const [error, setError] = useState<string>()

  async function update() {
    setUpdating(true)
    setError(undefined)
    try {
      await save(planTags(query.data ?? [], tags, names))
      done()
    } catch (refusal) {
      logError('Tags not updated', refusal)
      setError(errorText(refusal))
      setUpdating(false)
    }
  }
  return (
    <div className={styles.editing}>
      <MultiSelect
        above
        hideLabel
        allowsNew
        autoFocus
        label={t('tags.choose')}
        placeholder={t('tags.choose')}
        value={names}
        disabled={isUpdating}
        options={(query.data ?? []).map(({ name, color }) => ({
          value: name,
          label: name,
          swatch: `var(--tag-${color ?? TAG_COLORS[0]}-ink)`,
        }))}
        onChange={setNames}
      />
      <FormError text={error ?? (query.isError ? errorText(query.error) : undefined)} />
      <div className={styles.buttons}>
        <Button size="small" variant="primary" loading={isUpdating} disabled={!query.data} onClick={update}>
          {t(isUpdating ? 'tags.updating' : 'tags.done')}
        </Button>
        <Button size="small" variant="text" disabled={isUpdating} onClick={done}>
          {t('cancel')}
        </Button>
      </div>
    </div>
  )
}
