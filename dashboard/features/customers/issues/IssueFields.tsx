import { useTranslation } from 'react-i18next'
import { isGithubIssueUrl } from '#contract/customers/issues.ts'
import { TextArea } from '../../../ui/TextArea.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { GithubSync } from './GithubSync.tsx'
import type { IssueTexts } from './queries.ts'

interface FieldsProps<Draft extends IssueTexts> {
  draft: Draft
  change: (draft: Draft) => void
  titleLabel: string
}

/** Title, description and GitHub address of an issue. */
export function IssueFields<Draft extends IssueTexts>({ draft, change, titleLabel }: FieldsProps<Draft>) {
  const { t } = useTranslation()
  const isOdd = draft.github_issue_url.trim() !== '' && !isGithubIssueUrl(draft.github_issue_url)
  const write = (field: keyof IssueTexts) => (text: string) => change({ ...draft, [field]: text })
  return (
    <>
      <TextField label={titleLabel} dir="auto" value={draft.title} onChange={write('title')} />
      <TextArea rows={4} label={t('issues.body')} value={draft.body} onChange={write('body')} />
      <TextField
        label={t('issues.github')}
        placeholder="github.com/my/repo/issues/123"
        hint={isOdd ? t('issues.odd_url') : undefined}
        value={draft.github_issue_url}
        onChange={write('github_issue_url')}
      />
      <GithubSync url={draft.github_issue_url} fill={(texts) => change({ ...draft, ...texts })} />
    </>
  )
}
