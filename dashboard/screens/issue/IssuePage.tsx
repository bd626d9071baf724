import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { Issue } from '#contract/customers/issues.ts'
import { MessageText } from '../../features/conversations/messages/bubble/MessageText.tsx'
import { EditIssueDialog } from '../../features/customers/issues/EditIssueDialog.tsx'
import styles from '../../features/customers/issues/IssuesPage.module.css'
import { githubLink, STATE_TONES } from '../../features/customers/issues/issues.ts'
import { LinkCustomerDialog } from '../../features/customers/issues/LinkCustomerDialog.tsx'
import { deleteIssue, issueQuery } from '../../features/customers/issues/queries.ts'
import { errorText, showError } from '../../platform/http/errors.ts'
import { isTemporary } from '../../platform/http/request.ts'
import { useDialog } from '../../platform/useDialog.ts'
import { useLeaveWhenDeleted } from '../../platform/useLeaveWhenDeleted.ts'
import { BackLink } from '../../ui/BackLink.tsx'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Definition } from '../../ui/Definition.tsx'
import { Block } from '../../ui/EditBlock.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { LoadFailed } from '../../ui/LoadFailed.tsx'
import { notify } from '../../ui/notices.ts'
import { Page } from '../../ui/Page.tsx'
import { Pill } from '../../ui/Pill.tsx'
import { TableSkeleton } from '../../ui/Table.tsx'
import { CustomersOf } from '../customer/CustomersOf.tsx'

/** One issue and its customers. */
export function IssuePage() {
  const { t } = useTranslation()
  const { id = '' } = useParams()
  const [isDeleted, setDeleted] = useState(false)
  useLeaveWhenDeleted(isDeleted, '/issues')
  const { data: issue, error, refetch } = useQuery({ ...issueQuery(id), enabled: !isDeleted })
  if (error && !isDeleted && !(issue && isTemporary(error))) {
    return (
      <LoadFailed
        isPage
        title={t('issues.failed')}
        text={errorText(error)}
        retryLabel={t('retry')}
        retry={refetch}
        back={{ to: '/issues', label: t('issues.back') }}
      />
    )
  }
  if (issue) return <Loaded key={issue.id} issue={issue} isDeleted={isDeleted} leave={() => setDeleted(true)} />
  return (
    <Page title={t('screens.issue')}>
      <TableSkeleton label={t('loading')} />
    </Page>
  )
}

interface LoadedProps {
  issue: Issue
  isDeleted: boolean
  leave: () => void
}

function Loaded({ issue, isDeleted, leave }: LoadedProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const editing = useDialog()
  async function remove() {
    try {
      await deleteIssue(client, issue.id)
      leave()
      notify({ kind: 'success', title: t('issues.deleted', { title: issue.title }), seconds: 10 })
    } catch (error) {
      showError('Issue not deleted', error)
    }
  }
  return (
    <Page
      back={<BackLink to="/issues">{t('issues.back')}</BackLink>}
      title={issue.title}
      actions={
        <>
          <Confirm question={t('issues.confirm')} yes={t('yes')} no={t('no')} run={remove}>
            <Button danger disabled={isDeleted}>
              {t('issues.delete')}
            </Button>
          </Confirm>
          <Button variant="primary" disabled={isDeleted} onClick={() => editing.open()}>
            {t('edit')}
          </Button>
        </>
      }
    >
      <Facts issue={issue} />
      <People issue={issue} />
      <EditIssueDialog key={editing.turn} issue={issue} open={editing.isOpen} close={editing.close} />
    </Page>
  )
}

function Facts({ issue }: { issue: Issue }) {
  const { t } = useTranslation()
  const link = githubLink(issue.github_issue_url)
  return (
    <dl className={styles.facts}>
      <Definition name={t('issues.body')}>
        {issue.body ? <MessageText body={issue.body} /> : t('issues.no_description')}
      </Definition>
      <Definition name={t('issues.status')}>
        <Pill tone={STATE_TONES[issue.state]}>{t(`issues.states.${issue.state}`)}</Pill>
      </Definition>
      {issue.github_issue_url && (
        <Definition name={t('issues.github')}>
          {link ? (
            <a href={link.href} target="_blank" rel="noopener noreferrer">
              {link.text}
            </a>
          ) : (
            issue.github_issue_url
          )}
        </Definition>
      )}
    </dl>
  )
}

function People({ issue }: { issue: Issue }) {
  const { t } = useTranslation()
  const linking = useDialog()
  return (
    <Block wide title={t('issues.people')}>
      <div className={styles.people}>
        <Button icon={<Icon name="plus" size={18} />} onClick={() => linking.open()}>
          {t('issues.link_customer')}
        </Button>
        <CustomersOf filter={{ issue_id: issue.id }} />
      </div>
      <LinkCustomerDialog key={linking.turn} issue={issue} open={linking.isOpen} close={linking.close} />
    </Block>
  )
}
