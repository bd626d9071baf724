import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../platform/http/errors.ts'
import { Check } from '../../../ui/Check.tsx'
import { LoadFailed } from '../../../ui/LoadFailed.tsx'
import { userSettingsQuery, useSaveSettings } from '../accounts/user-settings.ts'
import styles from './ProfilePage.module.css'

const ALERTS = [
  { name: 'email_alert_on_new_message' },
  { name: 'email_alert_on_new_conversation' },
  { name: 'email_alert_on_mention', hint: 'profile.alert_on_mention_hint' },
  { name: 'email_alert_on_deadline', hint: 'profile.alert_on_deadline_hint' },
] as const

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
  return (
    <div className={styles.choices}>
      {ALERTS.map(({ name, ...alert }) => (
        <Check
          key={name}
          label={t(`profile.${name}`)}
          hint={'hint' in alert ? t(alert.hint) : undefined}
          checked={settings[name]}
          onChange={(isChecked) => save({ [name]: isChecked })}
        />
      ))}
    </div>
  )
}
