import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Issue, isGithubIssueUrl } from '#contract/issues.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useSaving } from '../../useSaving.ts'
import { IssueFields } from './IssueFields.tsx'
import { EMPTY_ISSUE, giveIssue, issuesQuery } from './issues.ts'

interface DialogProps {
  customer_id: string
  /** What the customer has already. */
  linked: Issue[]
  open: boolean
  close: () => void
}

/** Links an issue to a customer: one that is there, or a new one. What was written is kept until it is saved. */
export function IssueDialog({ customer_id, linked, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useId()
  const known = useQuery({ ...issuesQuery, enabled: open })
  const [existing_id, setExisting] = useState<string>()
  const [draft, setDraft] = useState(EMPTY_ISSUE)
  const saving = useSaving(async () => {
    const url = draft.github_issue_url
    if (url.trim() && !isGithubIssueUrl(url)) throw new Error(t('issues.bad_url'))
    await giveIssue(client, customer_id, { ...draft, existing: known.data?.find(({ id }) => id === existing_id) })
    setDraft(EMPTY_ISSUE)
    setExisting(undefined)
    close()
  })
  const taken = new Set(linked.map(({ id }) => id))
  const options = (known.data ?? [])
    .filter(({ id }) => !taken.has(id))
    .map(({ id, title }) => ({ value: id, label: title }))
  return (
    <FormDialog
      title={t('issues.link')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('save')}
      {...saving}
    >
      <label htmlFor={`${form}-existing`}>{t('issues.existing')}</label>
      <Select
        id={`${form}-existing`}
        showSearch={{ optionFilterProp: 'label' }}
        allowClear
        placeholder={t('issues.choose')}
        value={existing_id}
        onChange={setExisting}
        options={options}
        loading={known.isPending}
      />
      <IssueFields draft={draft} change={setDraft} titleLabel={t('issues.new_title')} />
    </FormDialog>
  )
}
