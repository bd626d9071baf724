import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Delivery } from '#contract/connections/deliveries.ts'
import { integrationsWhere, kindOf } from '#contract/connections/kinds.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { Message } from '#contract/conversations/messages.ts'
import { SOURCE_NAMES } from '#contract/conversations/sources.ts'
import { showError } from '../../../../platform/http/errors.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Confirm } from '../../../../ui/Confirm.tsx'
import { Each } from '../../../../ui/Each.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { Undrawn } from '../../../../ui/PartBoundary.tsx'
import { Meta } from './Bubble.tsx'
import styles from './DeliveryLine.module.css'
import { deliveriesQuery, resolveDelivery } from './queries.ts'

/** Below a message that is sent to another system: its state, with a retry if it failed. */
export function DeliveryLine({ message, source }: { message: Message; source: Conversation['source'] }) {
  const { data = [] } = useQuery(deliveriesQuery(message.conversation_id))
  const own = data
    .filter(({ message_id, kind }) => message_id === message.id && kind === 'post')
    .filter((delivery) => !MIRRORS.includes(delivery.integration) || isOpen(delivery))
  return (
    <Each name="delivery" items={own} keyOf={(delivery) => delivery.id} fallback={() => <Undrawn />}>
      {(delivery) => <Line delivery={delivery} source={source} />}
    </Each>
  )
}

/** How long a new message may be without a delivery, before it is planned. */
const PLANNED_MS = 10_000

/** The time of a message that is sent to another system. Only what was sent there is called sent. */
export function DeliveryMeta({ message }: { message: Message }) {
  const { data } = useQuery(deliveriesQuery(message.conversation_id))
  const own = (data ?? []).filter(
    ({ message_id, kind, integration }) =>
      message_id === message.id && kind === 'post' && !MIRRORS.includes(integration),
  )
  // Messages written in the other system have none, and those of sent messages are deleted after a month.
  const isNew = own.length === 0 && Date.now() - Date.parse(message.created_at) < PLANNED_MS
  const isSent = !!data && !isNew && own.every(({ state }) => state === 'sent')
  const delivered_at = own.find((delivery) => delivery.delivered_at)?.delivered_at ?? null
  return <Meta message={message} isPending={!isSent} delivered_at={delivered_at} />
}

/** In these the team replies. Successful deliveries to them are not shown. */
const MIRRORS = integrationsWhere(({ section }) => section === 'reply')

/** Whether the delivery has failed or has a problem. */
function isOpen({ state, problem }: Delivery): boolean {
  return state === 'failed' || (state === 'waiting' && !!problem)
}

/** What people call the channel; undefined for mail. A vendor may carry several, such as SMS and WhatsApp. */
function nameOf(integration: Delivery['integration'], source: Conversation['source']): string | undefined {
  const { carries, vendor } = kindOf(integration)
  return carries && carries !== 'email' ? SOURCE_NAMES[source] : vendor
}

function Line({ delivery, source }: { delivery: Delivery; source: Conversation['source'] }) {
  const { integration, state, problem, needs_connection } = delivery
  const { t } = useTranslation()
  const client = useQueryClient()
  const isUnsent = isOpen(delivery)
  const resolveAs = (what: 'retry' | 'discard') => () =>
    resolveDelivery(client, delivery, what).catch((error) => showError('Delivery not changed', error))
  const key = needs_connection ? 'held_up' : state === 'waiting' && problem ? 'retrying' : state
  return (
    <div className={styles.line} data-failed={isUnsent || undefined} role={isUnsent ? 'status' : undefined}>
      <span>
        {isUnsent && <Icon name="alert" size={14} />}{' '}
        {t(`delivery.${key}`, {
          way: nameOf(integration, source) ?? t('delivery.email'),
          problem,
        })}
      </span>
      {isUnsent && (
        <>
          {!needs_connection && (
            <Button size="small" variant="text" onClick={resolveAs('retry')}>
              {t('retry')}
            </Button>
          )}
          <Confirm question={t('delivery.question')} yes={t('yes')} no={t('no')} run={resolveAs('discard')}>
            <Button size="small" variant="text">
              {t('delivery.discard')}
            </Button>
          </Confirm>
        </>
      )}
    </div>
  )
}
