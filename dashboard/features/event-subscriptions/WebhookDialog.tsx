import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type EventSubscription, FIRST_EVENTS, WEBHOOK_EVENTS } from '#contract/event-subscriptions.ts'
import { useSaving } from '../../platform/forms/useSaving.ts'
import { Check } from '../../ui/Check.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { saveWebhook, verifyWebhook } from './queries.ts'
import styles from './Webhooks.module.css'

interface DialogProps {
  /** The webhook to edit; without it a new one is added. */
  webhook?: EventSubscription
  open: boolean
  close: () => void
}

/** Asks for an address, which is verified when the field loses the focus, and for the events to send. */
export function WebhookDialog({ webhook, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [webhook_url, setUrl] = useState(webhook?.webhook_url ?? '')
  const [events, setEvents] = useState(webhook?.events ?? FIRST_EVENTS)
  const { hint, error, verify } = useVerification()
  const isNew = webhook_url !== webhook?.webhook_url
  const saving = useSaving(async () => {
    await saveWebhook(client, webhook?.id, { events, ...(isNew && { webhook_url }) })
    close()
  })
  return (
    <FormDialog
      title={t(webhook ? 'webhooks.update' : 'webhooks.add')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('save')}
      {...saving}
    >
      <TextField
        type="url"
        autoFocus
        label={t('webhooks.url')}
        placeholder="https://example.com/hooks/parley"
        hint={
          // Of constant height: otherwise the click that leaves the field could miss its button.
          <span className={styles.hint}>
            <span className={hint && styles.covered}>{t('webhooks.url_hint')}</span>
            <span aria-live="polite">{hint}</span>
          </span>
        }
        error={error}
        value={webhook_url}
        onChange={setUrl}
        onBlur={() => verify(webhook_url.trim())}
      />
      <fieldset className={styles.events}>
        <legend>{t('webhooks.events')}</legend>
        {WEBHOOK_EVENTS.map((event) => (
          <Check
            key={event}
            label={event}
            checked={events.includes(event)}
            onChange={(isChecked) => setEvents(isChecked ? [...events, event] : events.filter((one) => one !== event))}
          />
        ))}
      </fieldset>
    </FormDialog>
  )
}

/** The result of verifying the typed address. */
function useVerification() {
  const { t } = useTranslation()
  const [verification, setVerification] = useState<{ url: string; outcome: 'verifying' | boolean }>()
  async function verify(url: string) {
    if (!url || verification?.url === url) return
    setVerification({ url, outcome: 'verifying' })
    const outcome = await verifyWebhook(url).catch(() => false)
    setVerification((latest) => (latest?.url === url ? { url, outcome } : latest))
  }
  const isVerifying = verification?.outcome === 'verifying'
  return {
    verify,
    hint: verification?.outcome ? t(isVerifying ? 'webhooks.verifying' : 'webhooks.is_verified') : undefined,
    error: verification?.outcome === false ? t('webhooks.not_verified') : undefined,
  }
}
