import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isViewConditionValid } from '#contract/conversations/view-conditions.ts'
import { type ConversationView, type ConversationViewDraft, VIEW_COUNT_LIMIT } from '#contract/conversations/views.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { Check } from '../../../ui/Check.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Select } from '../../../ui/Select.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import type { View } from '../conversations/views.ts'
import { draftOf, draftOfList } from './draft.ts'
import { matchingQuery, saveView } from './queries.ts'
import { useSettled } from './useSettled.ts'
import { useViewChoices } from './useViewChoices.ts'
import { ViewConditionFields } from './ViewConditionFields.tsx'
import styles from './ViewDialog.module.css'

interface DialogProps {
  /** The view to edit; without it a new one is created. */
  view?: ConversationView
  /** The list from which a new one begins; by default that of all open conversations. */
  list?: View
  open: boolean
  close: () => void
  onSaved?: (id: string) => void
}

/** Creates or edits a saved view, which reads as a sentence; says how many conversations it would show. */
export function ViewDialog({ view, list = { bucket: 'all' }, open, close, onSaved }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { me } = useTeam()
  const choices = useViewChoices()
  const [draft, setDraft] = useState(view ? draftOf(view) : draftOfList(list))
  const change = (changes: Partial<ConversationViewDraft>) => setDraft({ ...draft, ...changes })
  const saving = useSaving(async () => {
    if (!draft.name.trim()) throw new Error(t('saved_views.nameless'))
    if (!isComplete(draft)) throw new Error(t('saved_views.incomplete'))
    const { id } = await saveView(client, view?.id, draft)
    close()
    onSaved?.(id)
  })
  return (
    <FormDialog
      title={t(view ? 'saved_views.edit' : 'saved_views.new')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('save')}
      size={760}
      {...saving}
    >
      <TextField label={t('saved_views.name')} autoFocus value={draft.name} onChange={(name) => change({ name })} />
      <ViewConditionFields
        conditions={draft.conditions}
        choices={choices}
        onChange={(conditions) => change({ conditions })}
      />
      <Matching draft={draft} />
      <Select
        label={t('saved_views.sort')}
        options={(['activity', 'due'] as const).map((value) => ({ value, label: t(`saved_views.sorts.${value}`) }))}
        value={draft.sort}
        onChange={(sort) => change({ sort })}
      />
      {me.role === 'admin' && (
        <Check
          label={t('saved_views.shared')}
          checked={!draft.is_personal}
          onChange={(isShared) => change({ is_personal: !isShared })}
        />
      )}
    </FormDialog>
  )
}

function isComplete({ conditions }: ConversationViewDraft): boolean {
  return conditions.flat().every(isViewConditionValid)
}

/** The number of conversations, counted once nobody has changed anything for a moment. */
function Matching({ draft }: { draft: ConversationViewDraft }) {
  const { t } = useTranslation()
  const { conditions, sort } = useSettled(draft)
  const isWhole = isComplete({ ...draft, conditions })
  const { data: count, isError } = useQuery({ ...matchingQuery({ conditions, sort }), enabled: isWhole })
  return (
    <p className={styles.matching} role="status">
      {matchingText()}
    </p>
  )

  function matchingText(): string {
    if (!isWhole) return t('saved_views.incomplete')
    if (isError) return t('saved_views.not_counted')
    if (count === undefined) return t('loading')
    return count >= VIEW_COUNT_LIMIT ? t('saved_views.matches_more') : t('saved_views.matches', { count })
  }
}
