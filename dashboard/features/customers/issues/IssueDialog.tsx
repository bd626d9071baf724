import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Issue } from '#contract/customers/issues.ts'
import { useDebounced } from '../../../platform/forms/useDebounced.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { Button } from '../../../ui/Button.tsx'
import { ComboBox } from '../../../ui/ComboBox.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { IssueFields } from './IssueFields.tsx'
import styles from './IssuesSection.module.css'
import { EMPTY_ISSUE, foundIssuesQuery, type IssueTexts, linkIssue } from './queries.ts'

interface DialogProps {
  customer_id: string
  /** The customer's current issues. */
  linked: Issue[]
  open: boolean
  close: () => void
}

/** Links an existing or a new issue to a customer. */
export function IssueDialog({ customer_id, linked, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [existing, setExisting] = useState<Issue>()
  const [draft, setDraft] = useState(EMPTY_ISSUE)
  async function link(issue: IssueTexts) {
    await linkIssue(client, customer_id, { ...issue, existing })
    setDraft(EMPTY_ISSUE)
    setExisting(undefined)
    close()
  }
  const linking = useSaving(() => link(EMPTY_ISSUE))
  const saving = useSaving(() => link(draft))
  return (
    <FormDialog
      title={t('issues.link')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('issues.create')}
      {...saving}
      error={saving.error ?? linking.error}
    >
      <Existing linked={linked} chosen={existing} choose={setExisting} wanted={open}>
        <Button disabled={!existing} loading={linking.saving} onClick={linking.submit}>
          {t('issues.link_chosen')}
        </Button>
      </Existing>
      <IssueFields draft={draft} change={setDraft} titleLabel={t('issues.new_title')} />
    </FormDialog>
  )
}

/** How many are offered; others are found by typing. */
const OFFERED = 50

interface ExistingProps {
  linked: Issue[]
  chosen: Issue | undefined
  choose: (issue: Issue | undefined) => void
  wanted: boolean
  /** Actions on the chosen issue. */
  children: ReactNode
}

function Existing({ linked, chosen, choose, wanted, children }: ExistingProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const { data: offered = [], isFetching } = useQuery({
    ...foundIssuesQuery(useDebounced(typed), OFFERED),
    enabled: wanted,
  })
  const taken = new Set(linked.map(({ id }) => id))
  return (
    <div className={styles.existing}>
      <ComboBox
        label={t('issues.existing')}
        onSearch={setTyped}
        clearable
        placeholder={t('issues.choose')}
        value={chosen?.id ?? null}
        onChange={(id) => choose(offered.find((issue) => issue.id === id))}
        options={offered.filter(({ id }) => !taken.has(id)).map(({ id, title }) => ({ value: id, label: title }))}
        loading={isFetching}
      />
      {children}
    </div>
  )
}
