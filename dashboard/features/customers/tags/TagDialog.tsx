import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Tag } from '#contract/conversations/conversations.ts'
import { TAG_COLORS } from '#contract/customers/tags.ts'
import { changedFields } from '../../../platform/forms/changed-fields.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { Choice } from '../../../ui/Choice.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { createTag, updateTag } from './queries.ts'

type Color = (typeof TAG_COLORS)[number]

interface DialogProps {
  /** The tag to edit; without it a new one is created. */
  tag?: Tag
  open: boolean
  close: () => void
}

const draftOf = (tag: Tag | undefined) => ({
  name: tag?.name ?? '',
  description: tag?.description ?? '',
  color: (tag?.color ?? TAG_COLORS[0]) as Color,
})

/** Creates or edits a tag. */
export function TagDialog({ tag, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [opened] = useState(() => draftOf(tag))
  const [draft, setDraft] = useState(opened)
  const saving = useSaving(async () => {
    if (tag) await updateTag(client, tag.id, changedFields(opened, draft))
    else {
      await createTag(client, draft)
      setDraft(opened)
    }
    close()
  })
  return (
    <FormDialog
      title={t(tag ? 'tags.edit_title' : 'tags.new')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('save')}
      {...saving}
    >
      <TextField
        label={t('tags.name')}
        autoFocus
        dir="auto"
        value={draft.name}
        onChange={(name) => setDraft({ ...draft, name })}
      />
      <TextField
        label={t('tags.description')}
        dir="auto"
        value={draft.description}
        onChange={(description) => setDraft({ ...draft, description })}
      />
      <Choice
        legend={t('tags.color')}
        options={TAG_COLORS.map((color) => ({
          value: color,
          label: t(`tags.colors.${color}`),
          swatch: `var(--tag-${color}-ink)`,
        }))}
        value={draft.color}
        onChange={(color) => setDraft({ ...draft, color })}
      />
    </FormDialog>
  )
}
