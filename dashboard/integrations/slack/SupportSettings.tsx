import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SlackAuthorization } from '#contract/integrations/slack.ts'
import styles from '../../features/connections/integrations/Integrations.module.css'
import { showError } from '../../platform/http/errors.ts'
import { Block } from '../../ui/EditBlock.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { saveSwitches } from './queries.ts'

const SWITCHES = [
  { name: 'sync_all_incoming_threads', text: 'sync_all' },
  { name: 'sync_by_emoji_tagging', text: 'sync_emoji' },
] as const

/** Which messages of a workspace become conversations. Each switch is saved at once. */
export function SupportSettings({ connection }: { connection: SlackAuthorization }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [settings, setSettings] = useState(connection.settings)
  async function turn(name: (typeof SWITCHES)[number]['name'], isOn: boolean) {
    setSettings((before) => ({ ...before, [name]: isOn }))
    await saveSwitches(client, connection.id, { [name]: isOn }).catch((error) => {
      setSettings((before) => ({ ...before, [name]: !isOn }))
      showError('Setting not saved', error)
    })
  }
  return (
    <Block title={t('slack.settings_for', { team: connection.team_name })}>
      <div className={styles.form}>
        {SWITCHES.map(({ name, text }) => (
          <Switch
            key={name}
            label={t(`slack.${text}`)}
            hint={t(`slack.${text}_hint`)}
            checked={settings[name]}
            onChange={(isOn) => void turn(name, isOn)}
          />
        ))}
        <TextField
          label={t('slack.emoji')}
          hint={t('slack.emoji_hint')}
          value="👀"
          disabled
          onChange={() => undefined}
        />
      </div>
    </Block>
  )
}
