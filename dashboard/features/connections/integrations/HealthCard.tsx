import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuthorizationInList } from '#contract/connections/integrations.ts'
import { logError, showError } from '../../../platform/http/errors.ts'
import { messageTime } from '../../../platform/times.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Definition } from '../../../ui/Definition.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { notify } from '../../../ui/notices.ts'
import { StatusPill } from '../authorizations/StatusPill.tsx'
import styles from './Integrations.module.css'
import { disconnect, resolveOldDeliveries, testConnection } from './queries.ts'

/** The state of a connection, its latest activity, and actions on it. */
export function HealthCard({ authorization }: { authorization: AuthorizationInList }) {
  const { t } = useTranslation()
  const { id, way_in, last_in_at, last_out_at, problem, problem_at, notice, notice_at } = authorization
  const { waiting_count, held_count } = authorization
  const time = (at: string | null) => at && messageTime(at)
  return (
    <Block title={t('integrations.connection')} text={t('integrations.connection_text')}>
      {problem && (
        <Banner tone={authorization.state === 'broken' ? 'danger' : 'warning'}>
          {problem} {problem_at && <span className={styles.quiet}>({messageTime(problem_at)})</span>}
        </Banner>
      )}
      {notice && (
        <Banner tone="warning">
          {notice} {notice_at && <span className={styles.quiet}>({messageTime(notice_at)})</span>}
        </Banner>
      )}
      {held_count > 0 && <OldDeliveries id={id} count={held_count} />}
      <dl>
        <Definition name={t('integrations.columns.status')}>
          <StatusPill authorization={authorization} />
        </Definition>
        <Definition name={t('integrations.way_in')}>{t(`integrations.ways.${way_in}`)}</Definition>
        <Definition name={t('integrations.last_in')}>{time(last_in_at)}</Definition>
        <Definition name={t('integrations.last_out')}>{time(last_out_at)}</Definition>
      </dl>
      <Actions id={id} waiting={waiting_count} />
    </Block>
  )
}

/** Asks whether to send old deliveries. */
function OldDeliveries({ id, count }: { id: string; count: number }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const resolve = (action: 'send' | 'discard') => () =>
    resolveOldDeliveries(client, id, action).catch((error) => showError('Messages not settled', error))
  return (
    <Banner
      tone="warning"
      action={
        <div className={styles.row}>
          <Button size="small" onClick={resolve('send')}>
            {t('integrations.held_send')}
          </Button>
          <Confirm
            question={t('integrations.discard_confirm', { count })}
            yes={t('yes')}
            no={t('no')}
            run={resolve('discard')}
          >
            <Button size="small" variant="text">
              {t('integrations.discard')}
            </Button>
          </Confirm>
        </div>
      }
    >
      {t('integrations.held', { count })}
    </Banner>
  )
}

function Actions({ id, waiting }: { id: string; waiting: number }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [isTesting, setTesting] = useState(false)
  async function test() {
    setTesting(true)
    await testConnection(client, id)
      .then(() => notify({ kind: 'success', title: t('integrations.test_passed') }))
      .catch((error) => showError('Test failed', error))
    setTesting(false)
  }
  const remove = (discard: boolean) => () =>
    disconnect(client, id, discard).catch((error) => logError('Not disconnected', error))
  return (
    <div className={styles.row}>
      <Button loading={isTesting} onClick={test}>
        {t('integrations.test')}
      </Button>
      <Confirm
        question={
          waiting ? t('integrations.disconnect_keeping', { count: waiting }) : t('integrations.disconnect_confirm')
        }
        yes={t('yes')}
        no={t('no')}
        run={remove(false)}
      >
        <Button>{t('integrations.disconnect')}</Button>
      </Confirm>
      {waiting > 0 && (
        <Confirm
          question={t('integrations.discard_confirm', { count: waiting })}
          yes={t('yes')}
          no={t('no')}
          run={remove(true)}
        >
          <Button variant="text">{t('integrations.disconnect_discarding')}</Button>
        </Confirm>
      )}
    </div>
  )
}
