import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { EventSubscription } from '#contract/developers/webhooks.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { errorText, showError } from '../../../platform/http/errors.ts'
import { isTemporary } from '../../../platform/http/request.ts'
import { messageTime } from '../../../platform/times.ts'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { CopyField } from '../../../ui/CopyField.tsx'
import { copyText } from '../../../ui/clipboard.ts'
import { Block } from '../../../ui/EditBlock.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { LoadFailed } from '../../../ui/LoadFailed.tsx'
import { notify } from '../../../ui/notices.ts'
import { Page } from '../../../ui/Page.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { TableSkeleton } from '../../../ui/Table.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { DeliveryLog } from './DeliveryLog.tsx'
import { revealSecret, rotateSecret, saveWebhook, verifyWebhook, webhookQuery } from './queries.ts'
import { StatePill } from './StatePill.tsx'
import styles from './Webhooks.module.css'

const LIST = '/developers/event-subscriptions'

/** A webhook: its state, its secret and its log. */
export function WebhookPage() {
  const { id = '' } = useParams()
  return (
    <AdminsOnly>
      <Webhook key={id} id={id} />
    </AdminsOnly>
  )
}

function Webhook({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data: webhook, error, refetch } = useQuery(webhookQuery(id))
  if (error && !(webhook && isTemporary(error))) {
    return (
      <LoadFailed
        isPage
        title={t('webhooks.one_failed')}
        text={errorText(error)}
        retryLabel={t('retry')}
        retry={refetch}
        back={{ to: LIST, label: t('webhooks.back') }}
      />
    )
  }
  if (!webhook) {
    return (
      <Page title={t('webhooks.title')}>
        <TableSkeleton label={t('loading')} />
      </Page>
    )
  }
  return (
    <Page
      back={<BackLink to={LIST}>{t('webhooks.back')}</BackLink>}
      title={webhook.webhook_url}
      badge={<StatePill webhook={webhook} />}
      text={webhook.events.join(', ')}
    >
      <Health webhook={webhook} />
      <Secret id={id} />
      <DeliveryLog id={id} />
    </Page>
  )
}

function Health({ webhook }: { webhook: EventSubscription }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { id, failing_since, switched_off_at } = webhook
  if (!webhook.verified) return <Unverified webhook={webhook} />
  const since = switched_off_at ?? failing_since
  const switchTo = (is_enabled: boolean) =>
    saveWebhook(client, id, { is_enabled }).catch((error) => showError('Webhook not saved', error))
  const key = switched_off_at ? 'webhooks.off_since' : 'webhooks.failing_since'
  return (
    <Block title={t('webhooks.status')} text={since ? t(key, { when: messageTime(since) }) : undefined}>
      <Switch label={t('webhooks.enabled')} checked={!switched_off_at} onChange={switchTo} />
    </Block>
  )
}

/** Nothing is sent to it, so it has no switch. */
function Unverified({ webhook: { id, webhook_url } }: { webhook: EventSubscription }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { saving, error, submit } = useSaving(async () => {
    const { verified, problem = 'no_challenge', status } = await verifyWebhook(webhook_url)
    if (!verified) throw new Error(t(`webhooks.problems.${problem}`, { status }))
    await saveWebhook(client, id, { webhook_url })
  })
  return (
    <Block title={t('webhooks.status')} text={t('webhooks.unverified_text')}>
      <FormError text={error} />
      <div className={styles.row}>
        <Button loading={saving} onClick={submit}>
          {t('webhooks.verify_again')}
        </Button>
      </div>
    </Block>
  )
}

function Secret({ id }: { id: string }) {
  const { t } = useTranslation()
  const [secret, setSecret] = useState('')
  const copied = (done: boolean) =>
    notify({ kind: done ? 'success' : 'info', title: t(done ? 'webhooks.secret_copied' : 'account.copy_failed') })
  const show = async (read: (id: string) => Promise<string>) => {
    try {
      const value = await read(id)
      setSecret(value)
      copied(await copyText(value))
    } catch (error) {
      showError('Secret not shown', error)
    }
  }
  return (
    <Block title={t('webhooks.secret')} text={t('webhooks.secret_text')}>
      {secret && <CopyField label={t('webhooks.secret')} value={secret} copyLabel={t('copy')} copied={copied} />}
      <div className={styles.row}>
        {!secret && <Button onClick={() => show(revealSecret)}>{t('webhooks.reveal')}</Button>}
        <Confirm question={t('webhooks.rotate_confirm')} yes={t('yes')} no={t('no')} run={() => show(rotateSecret)}>
          <Button>{t('webhooks.rotate')}</Button>
        </Confirm>
      </div>
    </Block>
  )
}
