import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../platform/http/errors.ts'
import { Check } from '../../../ui/Check.tsx'
import { LoadFailed } from '../../../ui/LoadFailed.tsx'
import { userSettingsQuery, useSaveSettings } from '../accounts/user-settings.ts'
import styles from './ProfilePage.module.css'

const ALERTS = [
  'email_alert_on_new_message',
  'email_alert_on_new_conversation',
  'email_alert_on_mention',
  'email_alert_on_deadline',
] as const

const HINTS: Partial<Record<(typeof ALERTS)[number], 'alert_on_mention_hint' | 'alert_on_deadline_hint'>> = {
  email_alert_on_mention: 'alert_on_mention_hint',
  email_alert_on_deadline: 'alert_on_deadline_hint',
}

/** Which events cause an email. Saved at once. */
export function AlertChoices() {
  const { t } = useTranslation()
  const { data: settings, error, refetch } = useQuery(userSettingsQuery)
  const save = useSaveSettings()
  if (error && !settings) {
    return (
      <LoadFailed
        title={t('profile.settings_failed')}
        text={errorText(error)}
        retryLabel={t('retry')}
        retry={refetch}
      />
    )
  }
  if (!settings) return null
  const hintOf = (name: (typeof ALERTS)[number]) => {
    const hint = HINTS[name]
    return hint && t(`profile.${hint}`)
  }
  return (
    <div className={styles.choices}>
      {ALERTS.map((name) => (
        <Check
          key={name}
          label={t(`profile.${name}`)}
          hint={hintOf(name)}
          checked={settings[name]}
          onChange={(isChecked) => save({ [name]: isChecked })}
        />
      ))}
    </div>
  )
}
