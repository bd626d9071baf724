import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { userSettingsQuery, useSaveSettings } from '../notifications/settings.ts'
import styles from './ProfilePage.module.css'

const ALERTS = ['email_alert_on_new_message', 'email_alert_on_new_conversation', 'email_alert_on_mention'] as const

/** Of what to be told by mail. Saved at once. */
export function AlertChoices() {
  const { t } = useTranslation()
  const { data: settings } = useQuery(userSettingsQuery)
  const save = useSaveSettings()
  if (!settings) return null
  return ALERTS.map((name) => (
    <label key={name} className={styles.check}>
      <input type="checkbox" checked={settings[name]} onChange={({ target }) => save({ [name]: target.checked })} />
      {t(`profile.${name}`)}
    </label>
  ))
}
