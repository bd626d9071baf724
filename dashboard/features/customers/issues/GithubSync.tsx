import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isGithubIssueUrl } from '#contract/customers/issues.ts'
import { errorText } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { type IssueTexts, readFromGithub } from './queries.ts'

interface SyncProps {
  url: string
  fill: (texts: Omit<IssueTexts, 'github_issue_url'>) => void
}

/** Fills the fields from a GitHub issue. Shown only if the address is one of an issue. */
export function GithubSync({ url, fill }: SyncProps) {
  const { t } = useTranslation()
  const [isAsking, setAsking] = useState(false)
  const [error, setError] = useState<string>()
  async function sync() {
    setAsking(true)
    setError(undefined)
    await readFromGithub(url.trim())
      .then((texts) => (texts ? fill(texts) : setError(t('issues.not_shown'))))
      .catch((failure) => setError(errorText(failure)))
    setAsking(false)
  }
  return (
    <>
      <Button size="small" disabled={!isGithubIssueUrl(url)} loading={isAsking} onClick={sync}>
        {t('issues.sync')}
      </Button>
      <FormError text={error} />
    </>
  )
}
