import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { WEBHOOK_EVENTS, type WebhookDelivery } from '#contract/developers/webhooks.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { messageTime } from '../../../platform/times.ts'
import { useDialog } from '../../../platform/useDialog.ts'
import { Button } from '../../../ui/Button.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { EmptyLine } from '../../../ui/EmptyLine.tsx'
import { Pill } from '../../../ui/Pill.tsx'
import { Select } from '../../../ui/Select.tsx'
import { Table } from '../../../ui/Table.tsx'
import { DeliveryDialog } from './DeliveryDialog.tsx'
import { deliveriesQuery, type LogFilter } from './queries.ts'
import { ResendDialog } from './ResendDialog.tsx'
import styles from './Webhooks.module.css'

const TONES = { pending: 'warning', delivered: 'success', parked: 'danger' } as const

/** Sent and pending deliveries of a webhook. */
export function DeliveryLog({ id }: { id: string }) {
  const { t } = useTranslation()
  const [filter, setFilter] = useState<LogFilter>({})
  const opened = useDialog<string>()
  const resending = useDialog()
  return (
    <Block wide title={t('webhooks.log')} text={t('webhooks.log_text')}>
      <div className={styles.filters}>
        <Filters filter={filter} change={(changes) => setFilter({ ...filter, ...changes })} />
        <Button onClick={resending.open}>{t('webhooks.resend_since')}</Button>
      </div>
      <Deliveries id={id} filter={filter} open={opened.open} />
      {opened.item && (
        <DeliveryDialog key={opened.turn} id={id} delivery_id={opened.item} open={opened.isOpen} close={opened.close} />
      )}
      <ResendDialog key={`resend ${resending.turn}`} id={id} open={resending.isOpen} close={resending.close} />
    </Block>
  )
}

function Filters({ filter, change }: { filter: LogFilter; change: (changes: LogFilter) => void }) {
  const { t } = useTranslation()
  const all = { value: '', label: t('webhooks.all') } as const
  const states = (['pending', 'delivered', 'parked'] as const).map((value) => ({
    value,
    label: t(`webhooks.delivery_states.${value}`),
  }))
  return (
    <>
      <Select
        label={t('webhooks.filter_state')}
        options={[all, ...states]}
        value={filter.state ?? ''}
        onChange={(state) => change({ state: state || undefined })}
      />
      <Select
        label={t('webhooks.filter_event')}
        options={[all, ...WEBHOOK_EVENTS.map((value) => ({ value, label: value }))]}
        value={filter.event ?? ''}
        onChange={(event) => change({ event: event || undefined })}
      />
    </>
  )
}

function Deliveries({ id, filter, open }: { id: string; filter: LogFilter; open: (delivery_id: string) => void }) {
  const { t } = useTranslation()
  const pages = useInfiniteQuery(deliveriesQuery(id, filter))
  if (!pages.data) return <QueryView query={pages} failed={t('webhooks.log_failed')} />
  const deliveries = pages.data.pages.flatMap(({ data }) => data)
  if (deliveries.length === 0) {
    return <EmptyLine>{t('webhooks.no_deliveries')}</EmptyLine>
  }
  const columns = [t('webhooks.event'), t('webhooks.state'), t('webhooks.when'), t('webhooks.details')] as const
  return (
    <>
      <Table label={t('webhooks.log')} columns={columns}>
        <Each name="delivery" items={deliveries} keyOf={(delivery) => delivery.id}>
          {(delivery) => <DeliveryRow delivery={delivery} open={() => open(delivery.id)} />}
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

function DeliveryRow({ delivery, open }: { delivery: WebhookDelivery; open: () => void }) {
  const { t } = useTranslation()
  const { event, state, last, attempts, created_at, next_attempt_at } = delivery
  const when = messageTime(created_at)
  return (
    <tr>
      <td>{event}</td>
      <td>
        <Pill tone={TONES[state]}>{t(`webhooks.delivery_states.${state}`)}</Pill>{' '}
        <span className={styles.quiet}>
          {last && `${last.status ?? t('webhooks.no_answer')}, ${t('webhooks.tries', { count: attempts })}`}
        </span>
        {attempts > 0 && next_attempt_at && (
          <div className={styles.quiet}>{t('webhooks.next_try', { when: messageTime(next_attempt_at) })}</div>
        )}
      </td>
      <td>{when}</td>
      <td>
        <Button variant="text" size="small" aria-label={`${t('webhooks.details')} ${event} ${when}`} onClick={open}>
          {t('webhooks.details')}
        </Button>
      </td>
    </tr>
  )
}
