import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Input, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Issue, isGithubIssueUrl } from '#contract/issues.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { useSaving } from '../../useSaving.ts'
import { giveIssue, issuesQuery } from './issues.ts'

const EMPTY = { title: '', body: '', github_issue_url: '' }

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
  const [draft, setDraft] = useState(EMPTY)
  const saving = useSaving(async () => {
    const url = draft.github_issue_url
    if (url.trim() && !isGithubIssueUrl(url)) throw new Error(t('issues.bad_url'))
    await giveIssue(client, customer_id, { ...draft, existing: known.data?.find(({ id }) => id === existing_id) })
    setDraft(EMPTY)
    setExisting(undefined)
    close()
  })
  const taken = new Set(linked.map(({ id }) => id))
  const options = (known.data ?? [])
    .filter(({ id }) => !taken.has(id))
    .map(({ id, title }) => ({ value: id, label: title }))
  const write = (field: keyof typeof EMPTY) => (event: { target: { value: string } }) =>
    setDraft({ ...draft, [field]: event.target.value })
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
      <label htmlFor={`${form}-title`}>{t('issues.new_title')}</label>
      <Input id={`${form}-title`} dir="auto" value={draft.title} onChange={write('title')} />
      <label htmlFor={`${form}-body`}>{t('issues.body')}</label>
      <Input.TextArea
        id={`${form}-body`}
        dir="auto"
        autoSize={{ minRows: 4, maxRows: 8 }}
        value={draft.body}
        onChange={write('body')}
      />
      <label htmlFor={`${form}-url`}>{t('issues.github')}</label>
      <Input
        id={`${form}-url`}
        placeholder="github.com/my/repo/issues/123"
        value={draft.github_issue_url}
        onChange={write('github_issue_url')}
      />
    </FormDialog>
  )
}
