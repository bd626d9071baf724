import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ISSUE_STATES, type Issue, type IssueState } from '#contract/customers/issues.ts'
import { changedFields } from '../../../platform/forms/changed-fields.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Select } from '../../../ui/Select.tsx'
import { IssueFields } from './IssueFields.tsx'
import { saveIssue } from './queries.ts'

interface DialogProps {
  issue: Issue
  open: boolean
  close: () => void
}

/** Edits an issue. Any state may follow any other. Starts with the current issue each time it opens. */
export function EditIssueDialog({ issue, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [opened] = useState(() => draftOf(issue))
  const [draft, setDraft] = useState(opened)
  const saving = useSaving(async () => {
    await saveIssue(client, issue.id, changedFields(opened, draft))
    close()
  })
  return (
    <FormDialog
      title={t('issues.edit')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('save')}
      {...saving}
    >
      <IssueFields draft={draft} change={setDraft} titleLabel={t('issues.title_label')} />
      <Select<IssueState>
        label={t('issues.status')}
        value={draft.state}
        onChange={(state) => setDraft({ ...draft, state })}
        options={ISSUE_STATES.map((state) => ({ value: state, label: t(`issues.states.${state}`) }))}
      />
    </FormDialog>
  )
}

function draftOf({ title, body, github_issue_url, state }: Issue) {
  return { title, body: body ?? '', github_issue_url: github_issue_url ?? '', state }
}
