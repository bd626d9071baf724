import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { EventSubscription } from '#contract/developers/webhooks.ts'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { dayTitle } from '../../../platform/times.ts'
import { useDialog } from '../../../platform/useDialog.ts'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Each } from '../../../ui/Each.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { Page } from '../../../ui/Page.tsx'
import { OptionalCell, Table } from '../../../ui/Table.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { PlanNotice } from '../../accounts/plan-notices/PlanNotice.tsx'
import { removeWebhook, webhooksQuery } from './queries.ts'
import { StatePill } from './StatePill.tsx'
import { WebhookDialog } from './WebhookDialog.tsx'
import styles from './Webhooks.module.css'

export function WebhooksPage() {
  return (
    <AdminsOnly>
      <Webhooks />
    </AdminsOnly>
  )
}

function Webhooks() {
  const { t } = useTranslation()
  const adding = useDialog()
  const editing = useDialog<EventSubscription>()
  return (
    <Page
      title={t('webhooks.title')}
      text={t('webhooks.text')}
      actions={
        <Button variant="primary" icon={<Icon name="plus" size={18} />} onClick={adding.open}>
          {t('webhooks.add')}
        </Button>
      }
    >
      <PlanNotice feature="webhooks" />
      <WebhookTable webhooks={useQuery(webhooksQuery)} edit={editing.open} />
      <WebhookDialog key={`new ${adding.turn}`} open={adding.isOpen} close={adding.close} />
      {editing.item && (
        <WebhookDialog key={editing.turn} webhook={editing.item} open={editing.isOpen} close={editing.close} />
      )}
    </Page>
  )
}

interface TableProps {
  webhooks: UseQueryResult<EventSubscription[]>
  edit: (webhook: EventSubscription) => void
}

function WebhookTable({ webhooks, edit }: TableProps) {
  const { t } = useTranslation()
  if (!webhooks.data) return <QueryView query={webhooks} failed={t('webhooks.failed')} />
  if (webhooks.data.length === 0) {
    return <EmptyState drawing="rest" title={t('webhooks.none')} text={t('webhooks.none_text')} />
  }
  const columns = [t('webhooks.url'), t('webhooks.status'), t('webhooks.since'), t('webhooks.actions')] as const
  return (
    <Table label={t('webhooks.title')} columns={columns}>
      <Each name="webhook" items={webhooks.data} keyOf={(webhook) => webhook.id}>
        {(webhook) => <WebhookRow webhook={webhook} edit={() => edit(webhook)} />}
      </Each>
    </Table>
  )
}

function WebhookRow({ webhook, edit }: { webhook: EventSubscription; edit: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { id, webhook_url: url } = webhook
  const remove = () => removeWebhook(client, webhook).catch((error) => showError('Webhook not removed', error))
  return (
    <tr>
      <td>
        <Link className={styles.link} to={`/developers/event-subscriptions/${id}`}>
          {url}
        </Link>
      </td>
      <td>
        <StatePill webhook={webhook} />
      </td>
      <OptionalCell label={t('webhooks.since')}>{webhook.created_at && dayTitle(webhook.created_at)}</OptionalCell>
      <td>
        <Button variant="text" size="small" aria-label={`${t('webhooks.edit')} ${url}`} onClick={edit}>
          {t('webhooks.edit')}
        </Button>
        <Confirm question={t('webhooks.confirm', { url })} yes={t('yes')} no={t('no')} run={remove}>
          <Button variant="text" size="small" aria-label={`${t('webhooks.remove')} ${url}`}>
            {t('webhooks.remove')}
          </Button>
        </Confirm>
      </td>
    </tr>
  )
}
