import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { vendorName } from '#contract/connections/kinds.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { messageTime } from '../../../platform/times.ts'
import { Each } from '../../../ui/Each.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { Table } from '../../../ui/Table.tsx'
import { InboundActions } from '../../connections/integrations/InboundActions.tsx'
import { failedInboundQuery } from '../../connections/integrations/queries.ts'
import styles from './Health.module.css'
import { healthQuery } from './queries.ts'

/** Incoming mails and messages that could not be read, by whatever transport they came, with the reason. */
export function FailedInbound() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const query = useQuery(failedInboundQuery)
  const refresh = () => void client.invalidateQueries({ queryKey: healthQuery.queryKey })
  return (
    <Block wide title={t('health.unread')} text={t('health.unread_text')}>
      {!query.data && <QueryView query={query} failed={t('health.unread_failed')} />}
      {!!query.data?.length && (
        <Table label={t('health.unread')} columns={[t('health.arrived'), t('health.why'), t('health.columns.actions')]}>
          <Each name="event" items={query.data} keyOf={(event) => event.id}>
            {(event) => (
              <tr>
                <td>
                  {vendorName(event.integration) ?? t('health.email')}
                  <div className={styles.more}>{messageTime(event.created_at)}</div>
                </td>
                <td dir="auto">{event.reason ?? t('health.no_reason')}</td>
                <td>
                  <InboundActions event={event} onRetried={refresh} />
                </td>
              </tr>
            )}
          </Each>
        </Table>
      )}
    </Block>
  )
}
