import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ISSUES_AT_ONCE, type Issue } from '#contract/customers/issues.ts'
import { useDebounced } from '../../../platform/forms/useDebounced.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { messageTime, useAges } from '../../../platform/times.ts'
import { useDialog } from '../../../platform/useDialog.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ListLine } from '../../../ui/ListLine.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { ShowMore, usePortion } from '../../../ui/Portion.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import styles from './IssuesPage.module.css'
import { GROUPS, groupIssues, STATE_TONES } from './issues.ts'
import { NewIssueDialog } from './NewIssueDialog.tsx'
import { foundIssuesQuery } from './queries.ts'

const DEBOUNCE_MS = 400

export function IssuesPage() {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const creating = useDialog()
  return (
    <Page
      title={t('issues.title')}
      text={t('issues.text')}
      actions={
        <Button variant="primary" icon={<Icon name="plus" size={18} />} onClick={() => creating.open()}>
          {t('issues.new')}
        </Button>
      }
    >
      <p className={styles.info} role="note">
        <Icon name="info" size={18} />
        {t('issues.info')}
      </p>
      <SearchInput label={t('issues.search')} value={text} onChange={setText} />
      <Issues q={useDebounced(text, DEBOUNCE_MS)} />
      <NewIssueDialog key={creating.turn} open={creating.isOpen} close={creating.close} />
    </Page>
  )
}

function Issues({ q }: { q: string }) {
  const { t } = useTranslation()
  const query = useQuery(foundIssuesQuery(q))
  const { data: issues } = query
  if (!issues) return <QueryView query={query} failed={t('issues.list_failed')} />
  if (issues.length === 0) {
    return q ? (
      <EmptyState drawing="lost" title={t('issues.nothing')} />
    ) : (
      <EmptyState drawing="soon" title={t('issues.no_issues')} text={t('issues.no_issues_text')} />
    )
  }
  const groups = groupIssues(issues)
  return (
    <>
      {GROUPS.map((group) => (
        <Group key={group} title={t(`issues.groups.${group}`)} issues={groups[group]} />
      ))}
      {issues.length >= ISSUES_AT_ONCE && (
        <p className={styles.none}>{t('issues.not_all', { count: issues.length })}</p>
      )}
    </>
  )
}

function Group({ title, issues }: { title: string; issues: Issue[] }) {
  const { t } = useTranslation()
  const { shown, remaining, showMore } = usePortion(issues)
  return (
    <section className={styles.group} aria-label={title}>
      <h2>{title}</h2>
      {issues.length === 0 && <p className={styles.none}>{t('issues.none_in_group')}</p>}
      <ul>
        <Each name="issue" items={shown} keyOf={(issue) => issue.id}>
          {(issue) => (
            <li>
              <IssueLine issue={issue} />
            </li>
          )}
        </Each>
      </ul>
      <ShowMore remaining={remaining} label={t('show_more', { count: remaining })} showMore={showMore} />
    </section>
  )
}

function IssueLine({ issue }: { issue: Issue }) {
  const { t } = useTranslation()
  const ago = useAges()
  return (
    <ListLine
      to={`/issues/${issue.id}`}
      at={issue.updated_at}
      age={ago(issue.updated_at, 'short')}
      title={messageTime(issue.updated_at)}
    >
      <span className={styles.title}>
        <Truncate text={issue.title} />
      </span>
      <Pill tone={STATE_TONES[issue.state]}>{t(`issues.states.${issue.state}`)}</Pill>
    </ListLine>
  )
}
