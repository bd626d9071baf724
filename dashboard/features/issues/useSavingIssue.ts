import { useTranslation } from 'react-i18next'
import { isGithubIssueUrl } from '#contract/issues.ts'
import { type Saving, useSaving } from '../../platform/forms/useSaving.ts'
import type { IssueTexts } from './queries.ts'

/** Saves an issue, unless it names an address that is no issue on GitHub: then the form says so. */
export function useSavingIssue({ github_issue_url }: IssueTexts, save: () => Promise<void>): Saving {
  const { t } = useTranslation()
  return useSaving(async () => {
    if (github_issue_url.trim() && !isGithubIssueUrl(github_issue_url)) throw new Error(t('issues.bad_url'))
    await save()
  })
}
