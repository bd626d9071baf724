import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '#contract/accounts/audit.ts'
import { userName } from '#contract/accounts/users.ts'
import { isBillingEnabled } from '../../../platform/environment.ts'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { messageTime } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Table } from '../../../ui/Table.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import { AdminsOnly } from '../accounts/AdminsOnly.tsx'
import { useTeam } from '../accounts/account.ts'
import styles from './AuditPage.module.css'
import { Changes } from './Changes.tsx'
import { type AuditFilters, auditQuery, downloadAudit } from './queries.ts'

const KINDS = [
  'account',
  'user',
  'invitation',
  'inbox',
  'conversation',
  'customer',
  'password',
  'two_factor',
  'api_key',
  'billing',
  'webhook',
  'session',
  'language_model',
] as const

/** The audit log of the account. */
export function AuditPage() {
  const { t } = useTranslation()
  const [filters, setFilters] = useState<AuditFilters>({})
  return (
    <AdminsOnly>
      <Page
        title={t('audit.title')}
        text={t('audit.text')}
        actions={<Button onClick={() => exportAudit(filters)}>{t('audit.export')}</Button>}
      >
        <FilterBar filters={filters} change={(changes) => setFilters((before) => ({ ...before, ...changes }))} />
        <Entries filters={filters} />
      </Page>
    </AdminsOnly>
  )
}

async function exportAudit(filters: AuditFilters) {
  try {
    await downloadAudit(filters)
  } catch (error) {
    showError('Audit trail not exported', error)
  }
}

function FilterBar({ filters, change }: { filters: AuditFilters; change: (changes: AuditFilters) => void }) {
  const { t } = useTranslation()
  const { account } = useTeam()
  return (
    <div className={styles.filters}>
      <label>
        {t('audit.kind')}
        <select value={filters.action ?? ''} onChange={({ target }) => change({ action: target.value || undefined })}>
          <option value="">{t('audit.all')}</option>
          {KINDS.filter((kind) => kind !== 'billing' || isBillingEnabled()).map((kind) => (
            <option key={kind} value={kind}>
              {t(`audit.kinds.${kind}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('audit.who')}
        <select
          value={filters.user_id ?? ''}
          onChange={({ target }) => change({ user_id: target.value ? Number(target.value) : undefined })}
        >
          <option value="">{t('audit.everybody')}</option>
          {account.users.map((user) => (
            <option key={user.id} value={user.id}>
              {userName(user)}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

function Entries({ filters }: { filters: AuditFilters }) {
  const { t } = useTranslation()
  const pages = useInfiniteQuery(auditQuery(filters))
  if (!pages.data) return <QueryView query={pages} failed={t('audit.failed')} />
  const entries = pages.data.pages.flatMap(({ data }) => data)
  if (entries.length === 0) return <EmptyState drawing="rest" title={t('audit.none')} text={t('audit.none_text')} />
  return (
    <>
      <Table label={t('audit.title')} columns={[t('audit.what'), t('audit.who'), t('audit.when')]}>
        <Each name="entry" items={entries} keyOf={(entry) => entry.id}>
          {(entry) => <EntryRow entry={entry} />}
        </Each>
      </Table>
      {pages.hasNextPage && (
        <Button block variant="text" loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
          {t('list.load_more')}
        </Button>
      )}
    </>
  )
}

/** Enough characters of an id to tell two apart. */
const ID_LENGTH = 8

function EntryRow({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation()
  // A newer server may log actions that have no text here yet.
  const described = t(`audit.actions.${entry.action}` as 'audit.actions.account.updated', {
    defaultValue: entry.action.replace(/[._]/g, ' '),
  })
  return (
    <tr>
      <td>
        {described}{' '}
        <span className={styles.subject}>
          <Truncate text={entry.subject_name ?? entry.subject_id?.slice(0, ID_LENGTH) ?? ''} />
        </span>
        <Changes entry={entry} />
      </td>
      <td>
        <Truncate text={entry.user ? userName(entry.user) : t('audit.nobody')} />
        {entry.address && <div className={styles.address}>{entry.address}</div>}
      </td>
      <td>{messageTime(entry.created_at)}</td>
    </tr>
  )
}
