import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Delivery } from '#contract/connections/deliveries.ts'
import type { AuthorizationInList, InboundEvent } from '#contract/connections/integrations.ts'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { messageTime } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Each } from '../../../ui/Each.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { EmptyLine } from '../../../ui/EmptyLine.tsx'
import { Select } from '../../../ui/Select.tsx'
import { OptionalCell, Table } from '../../../ui/Table.tsx'
import { InboundActions } from './InboundActions.tsx'
import styles from './Integrations.module.css'
import { inboundQuery, resolveDelivery, unsentQuery } from './queries.ts'

/** Failed and waiting deliveries, to retry or discard. It opens where there are some. */
export function Unsent({ authorization }: { authorization: AuthorizationInList }) {
  const { t } = useTranslation()
  const { id, waiting_count: waiting, failed_count: failed } = authorization
  const counts = { failed, waiting }
  const [chosen, setState] = useState<'waiting' | 'failed'>()
  const state = chosen ?? (failed === 0 && waiting > 0 ? 'waiting' : 'failed')
  const pages = useInfiniteQuery(unsentQuery(id, state))
  const rows = pages.data?.pages.flatMap(({ data }) => data)
  const columns = ['what', 'when', 'reason', 'actions'] as const
  return (
    <Block wide title={t('integrations.out')} text={t('integrations.out_text')}>
      <Select
        label={t('integrations.show')}
        options={(['failed', 'waiting'] as const).map((value) => ({
          value,
          label: `${t(`integrations.out_states.${value}`)} (${counts[value]})`,
        }))}
        value={state}
        onChange={setState}
      />
      {!rows && <QueryView query={pages} failed={t('integrations.out_failed')} />}
      {rows?.length === 0 && <EmptyLine>{t(`integrations.out_empty.${state}`)}</EmptyLine>}
      {!!rows?.length && (
        <Table
          label={t('integrations.out')}
          columns={columns.map((name) => t(`integrations.columns.${name}`)) as [string, ...string[], string]}
        >
          <Each name="delivery" items={rows} keyOf={(delivery) => delivery.id}>
            {(delivery) => <UnsentRow delivery={delivery} />}
          </Each>
        </Table>
      )}
      <More pages={pages} />
    </Block>
  )
}

function UnsentRow({
  delivery: { id, conversation_id, kind, created_at, problem, next_try_at },
}: {
  delivery: Delivery
}) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const resolve = (what: 'retry' | 'discard') => () =>
    resolveDelivery(client, id, what).catch((error) => showError('Delivery not changed', error))
  return (
    <tr>
      <td>
        {conversation_id ? (
          <Link to={`/conversations/all/${conversation_id}`}>{t(`integrations.kinds.${kind}`)}</Link>
        ) : (
          t(`integrations.kinds.${kind}`)
        )}
      </td>
      <td>{messageTime(created_at)}</td>
      <td>
        {problem ?? '–'}
        {next_try_at && (
          <div className={styles.quiet}>{t('integrations.next_try', { when: messageTime(next_try_at) })}</div>
        )}
      </td>
      <td>
        <Button size="small" variant="text" onClick={resolve('retry')}>
          {t('retry')}
        </Button>
        <Confirm question={t('integrations.discard_question')} yes={t('yes')} no={t('no')} run={resolve('discard')}>
          <Button size="small" variant="text">
            {t('integrations.discard')}
          </Button>
        </Confirm>
      </td>
    </tr>
  )
}

/** Incoming events that failed or were ignored, with the reason. */
export function Unread({ authorization_id }: { authorization_id: string }) {
  const { t } = useTranslation()
  const [state, setState] = useState<'failed' | 'ignored'>('failed')
  const pages = useInfiniteQuery(inboundQuery(authorization_id, state))
  const rows = pages.data?.pages.flatMap(({ data }) => data)
  const columns = ['when', 'reason', 'actions'] as const
  return (
    <Block wide title={t('integrations.in')} text={t('integrations.in_text')}>
      <Select
        label={t('integrations.show')}
        options={(['failed', 'ignored'] as const).map((value) => ({
          value,
          label: t(`integrations.in_states.${value}`),
        }))}
        value={state}
        onChange={setState}
      />
      {!rows && <QueryView query={pages} failed={t('integrations.in_failed')} />}
      {rows?.length === 0 && <EmptyLine>{t(`integrations.in_empty.${state}`)}</EmptyLine>}
      {!!rows?.length && (
        <Table
          label={t('integrations.in')}
          columns={columns.map((name) => t(`integrations.columns.${name}`)) as [string, ...string[], string]}
        >
          <Each name="event" items={rows} keyOf={(event) => event.id}>
            {(event) => <UnreadRow event={event} />}
          </Each>
        </Table>
      )}
      <More pages={pages} />
    </Block>
  )
}

function UnreadRow({ event }: { event: InboundEvent }) {
  return (
    <tr>
      <td>{messageTime(event.created_at)}</td>
      <OptionalCell>{event.reason}</OptionalCell>
      <td>
        <InboundActions event={event} />
      </td>
    </tr>
  )
}

interface Pages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

function More({ pages }: { pages: Pages }) {
  const { t } = useTranslation()
  if (!pages.hasNextPage) return null
  return (
    <Button block variant="text" loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
      {t('list.load_more')}
    </Button>
  )
}
