import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { DeadlinePolicy } from '#contract/conversations/deadlines.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { useDialog } from '../../../platform/useDialog.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Table } from '../../../ui/Table.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { useTeam } from '../../accounts/accounts/account.ts'
import { PolicyDialog } from './PolicyDialog.tsx'
import { PolicyRow } from './PolicyRow.tsx'
import { policiesQuery } from './queries.ts'

/** How soon conversations are answered and resolved. */
export function DeadlinesPage() {
  const { t } = useTranslation()
  const creating = useDialog()
  const editing = useDialog<DeadlinePolicy>()
  return (
    <AdminsOnly>
      <Page
        title={t('policies.title')}
        text={t('policies.text')}
        actions={
          <Button variant="primary" icon={<Icon name="plus" size={18} />} onClick={() => creating.open()}>
            {t('policies.new')}
          </Button>
        }
      >
        <Policies edit={editing.open} />
        {creating.isOpen && <PolicyDialog key={creating.turn} open close={creating.close} />}
        {editing.item && (
          <PolicyDialog key={editing.turn} policy={editing.item} open={editing.isOpen} close={editing.close} />
        )}
      </Page>
    </AdminsOnly>
  )
}

function Policies({ edit }: { edit: (policy: DeadlinePolicy) => void }) {
  const { t } = useTranslation()
  const policies = useQuery(policiesQuery)
  const { account } = useTeam()
  if (!policies.data) return <QueryView query={policies} failed={t('policies.failed')} />
  if (policies.data.length === 0)
    return <EmptyState drawing="talk" title={t('policies.none')} text={t('policies.none_text')} />
  const isNeverOpen = account.working_hours.length === 0
  const columns = [t('policies.name'), t('policies.times'), t('policies.actions')] as const
  return (
    <>
      {isNeverOpen && policies.data.some(({ in_working_hours }) => in_working_hours) && (
        <Banner>{t('policies.never_open')}</Banner>
      )}
      <Table label={t('policies.title')} columns={columns}>
        <Each name="policy" items={policies.data} keyOf={({ id }) => id}>
          {(policy, at) => <PolicyRow policy={policy} at={at} all={policies.data} edit={() => edit(policy)} />}
        </Each>
      </Table>
    </>
  )
}
