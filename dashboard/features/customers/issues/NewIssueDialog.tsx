import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { IssueFields } from './IssueFields.tsx'
import { createIssue, EMPTY_ISSUE } from './queries.ts'

/** Creates an issue and opens it. */
export function NewIssueDialog({ open, close }: { open: boolean; close: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [draft, setDraft] = useState(EMPTY_ISSUE)
  const saving = useSaving(async () => {
    const { id } = await createIssue(client, draft)
    close()
    navigate(`/issues/${id}`)
  })
  return (
    <FormDialog
      title={t('issues.new')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('save')}
      {...saving}
    >
      <IssueFields draft={draft} change={setDraft} titleLabel={t('issues.title_label')} />
    </FormDialog>
  )
}
