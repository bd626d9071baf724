import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { messageTime } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { notify } from '../../../ui/notices.ts'
import { Table } from '../../../ui/Table.tsx'
import styles from './Health.module.css'
import { deadJobsQuery, retryJob } from './queries.ts'

/** Jobs that failed at every attempt, with the error and a retry button. */
export function DeadJobs() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const query = useQuery(deadJobsQuery)
  const retry = (id: string) =>
    retryJob(client, id)
      .then(() => notify({ kind: 'success', title: t('health.retried') }))
      .catch((error) => showError('Job not tried again', error))
  return (
    <Block wide title={t('health.dead_jobs')} text={t('health.dead_jobs_text')}>
      {!query.data && <QueryView query={query} failed={t('health.dead_jobs_failed')} />}
      {!!query.data?.length && (
        <Table label={t('health.dead_jobs')} columns={[t('health.job'), t('health.why'), t('retry')]}>
          <Each name="job" items={query.data} keyOf={({ id }) => id}>
            {({ id, name, error, failed_at, created_at }) => (
              <tr>
                <td>{name}</td>
                <td dir="auto">
                  {error ?? t('health.no_reason')}
                  <div className={styles.more}>{messageTime(failed_at ?? created_at)}</div>
                </td>
                <td>
                  <Button size="small" variant="text" onClick={() => retry(id)}>
                    {t('retry')}
                    <span className="unseen"> {name}</span>
                  </Button>
                </td>
              </tr>
            )}
          </Each>
        </Table>
      )}
    </Block>
  )
}
