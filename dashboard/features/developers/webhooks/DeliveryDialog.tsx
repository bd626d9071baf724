import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { WebhookAttempt } from '#contract/developers/webhooks.ts'
import { showError } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { messageTime } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Each } from '../../../ui/Each.tsx'
import { notify } from '../../../ui/notices.ts'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx'
import { deliveryQuery, resend } from './queries.ts'
import styles from './Webhooks.module.css'

interface DialogProps {
  id: string
  delivery_id: string
  open: boolean
  close: () => void
}

/** The request and the response of each attempt. */
export function DeliveryDialog({ id, delivery_id, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const query = useQuery(deliveryQuery(id, delivery_id))
  const { data } = query
  async function sendAgain() {
    try {
      await resend(client, id, delivery_id)
      notify({ kind: 'success', title: t('webhooks.resent') })
    } catch (error) {
      showError('Not sent again', error)
    }
  }
  return (
    <Dialog
      title={data?.event ?? t('webhooks.details')}
      size={640}
      open={open}
      close={close}
      footer={
        <>
          <Button onClick={close}>{t('close')}</Button>
          <Button variant="primary" disabled={!data?.body} onClick={sendAgain}>
            {t('webhooks.resend')}
          </Button>
        </>
      }
    >
      {data ? (
        <>
          <Each name="attempt" items={data.tries} keyOf={(attempt) => attempt.id} fallback={() => <Undrawn />}>
            {(attempt) => <Attempt attempt={attempt} />}
          </Each>
          <h3>{t('webhooks.sent')}</h3>
          {data.body ? (
            <Text label={t('webhooks.sent')} text={indented(data.body)} />
          ) : (
            <p>{t('webhooks.body_deleted')}</p>
          )}
        </>
      ) : (
        <QueryView query={query} failed={t('webhooks.log_failed')} />
      )}
    </Dialog>
  )
}

function Attempt({ attempt: { at, status, error, answer, duration_ms } }: { attempt: WebhookAttempt }) {
  const { t } = useTranslation()
  return (
    <div className={styles.try}>
      <b>{status ?? t('webhooks.no_answer')}</b>{' '}
      <span className={styles.quiet}>
        {messageTime(at)}, {t('webhooks.duration', { ms: duration_ms })}
      </span>
      {error && <div>{error}</div>}
      {answer && <Text label={t('webhooks.answer')} text={answer} />}
    </div>
  )
}

function Text({ label, text }: { label: string; text: string }) {
  return (
    <ScrollRegion label={label} className={styles.text}>
      {text}
    </ScrollRegion>
  )
}

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2)
}
