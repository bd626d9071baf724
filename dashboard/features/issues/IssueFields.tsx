import { Input } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { IssueTexts } from './queries.ts'

interface FieldsProps<Draft extends IssueTexts> {
  draft: Draft
  change: (draft: Draft) => void
  titleLabel: string
}

/** Title, description and address of an issue. */
export function IssueFields<Draft extends IssueTexts>({ draft, change, titleLabel }: FieldsProps<Draft>) {
  const { t } = useTranslation()
  const form = useId()
  const write = (field: keyof IssueTexts) => (event: { target: { value: string } }) =>
    change({ ...draft, [field]: event.target.value })
  return (
    <>
      <label htmlFor={`${form}-title`}>{titleLabel}</label>
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
    </>
  )
}
