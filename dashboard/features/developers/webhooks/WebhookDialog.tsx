import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type EventSubscription, FIRST_EVENTS, WEBHOOK_EVENTS } from '#contract/developers/webhooks.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { errorText } from '../../../platform/http/errors.ts'
import { Check } from '../../../ui/Check.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { saveWebhook, verifyWebhook } from './queries.ts'
import styles from './Webhooks.module.css'

/** Events by what they are about. */
const subjectOf = (event: string) => event.split(/s?:/, 1)[0]
const GROUPS = [...new Set(WEBHOOK_EVENTS.map(subjectOf))].map((subject) =>
  WEBHOOK_EVENTS.filter((event) => subjectOf(event) === subject),
)

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
      size={760}
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
        {GROUPS.map((group) => (
          <div key={group[0]} className={styles.group}>
            {group.map((event) => (
              <Check
                key={event}
                label={event}
                checked={events.includes(event)}
                onChange={(isChecked) =>
                  setEvents(isChecked ? [...events, event] : events.filter((other) => other !== event))
                }
              />
            ))}
          </div>
        ))}
      </fieldset>
    </FormDialog>
  )
}

/** The result of verifying the typed address. */
function useVerification() {
  const { t } = useTranslation()
  const [verification, setVerification] = useState<{ url: string; isVerified?: boolean; error?: string }>()
  async function verify(url: string) {
    if (!url || verification?.url === url) return
    setVerification({ url })
    const outcome = await verifyWebhook(url).then(
      ({ verified, problem = 'no_challenge', status }) =>
        verified ? { isVerified: true } : { error: t(`webhooks.problems.${problem}`, { status }) },
      (failure) => ({ error: errorText(failure) }),
    )
    setVerification((latest) => (latest?.url === url ? { url, ...outcome } : latest))
  }
  const { isVerified, error } = verification ?? {}
  return {
    verify,
    hint: !verification || error ? undefined : t(isVerified ? 'webhooks.is_verified' : 'webhooks.verifying'),
    error,
  }
}
