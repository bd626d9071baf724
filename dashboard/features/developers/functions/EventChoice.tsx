import { useTranslation } from 'react-i18next'
import { WEBHOOK_EVENTS, type WebhookEvent } from '#contract/developers/webhooks.ts'
import { Check } from '../../../ui/Check.tsx'
import styles from './Functions.module.css'

/** The events that run a function; at least one stays selected. */
export function EventChoice({ events, change }: { events: WebhookEvent[]; change: (events: WebhookEvent[]) => void }) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles.events}>
      <legend className="unseen">{t('functions.events')}</legend>
      {WEBHOOK_EVENTS.map((event) => (
        <Check
          key={event}
          label={event}
          checked={events.includes(event)}
          onChange={(isChecked) => {
            const next = isChecked ? [...events, event] : events.filter((one) => one !== event)
            if (next.length > 0) change(next)
          }}
        />
      ))}
    </fieldset>
  )
}
