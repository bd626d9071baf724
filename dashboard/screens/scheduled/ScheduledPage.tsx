import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useTeam } from '../../features/accounts/accounts/account.ts'
import { scheduledListQuery } from '../../features/conversations/messages/scheduled/queries.ts'
import { QueryView } from '../../platform/QueryView.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageBesideViews } from '../inbox/views/PageBesideViews.tsx'
import styles from './ScheduledPage.module.css'
import { ScheduledTable } from './ScheduledTable.tsx'

/** What is sent later, beside the views of the inbox: one's own replies, for admins also those of the whole team. */
export function ScheduledPage() {
  const { t } = useTranslation()
  const { me } = useTeam()
  const [whose, setWhose] = useState<'mine' | 'all'>('mine')
  return (
    <PageBesideViews title={t('scheduled.title')} text={t('scheduled.about')}>
      {me.role === 'admin' && (
        <div className={styles.whose}>
          <Choice
            legend={t('scheduled.whose')}
            hideLegend
            options={[
              { value: 'mine', label: t('scheduled.mine') },
              { value: 'all', label: t('scheduled.all') },
            ]}
            value={whose}
            onChange={setWhose}
          />
        </div>
      )}
      <List all={whose === 'all'} />
    </PageBesideViews>
  )
}

function List({ all }: { all: boolean }) {
  const { t } = useTranslation()
  const list = useQuery(scheduledListQuery(all))
  if (!list.data) return <QueryView query={list} failed={t('scheduled.not_loaded')} />
  if (list.data.length > 0) return <ScheduledTable list={list.data} />
  return <EmptyState drawing="rest" title={t('scheduled.none')} text={t('scheduled.none_text')} />
}
