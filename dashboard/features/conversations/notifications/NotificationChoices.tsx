import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { NotifyAbout } from '#contract/accounts/user-settings.ts'
import { Button } from '../../../ui/Button.tsx'
import { Check } from '../../../ui/Check.tsx'
import { Choice } from '../../../ui/Choice.tsx'
import { userSettingsQuery, useSaveSettings } from '../../accounts/accounts/user-settings.ts'
import { readPermission } from './desktop.ts'
import styles from './NotificationChoices.module.css'
import { testSound } from './sound.ts'
import { chooseVolume, readVolume, VOLUMES, type Volume } from './volume.ts'

const PARTS = ['mine', 'unassigned', 'mentions'] as const satisfies NotifyAbout[]

/** Sounds and desktop notifications. Saved at once, and reverted if the server refuses. */
export function NotificationChoices() {
  const { t } = useTranslation()
  const { data: settings } = useQuery(userSettingsQuery)
  const save = useSaveSettings()
  if (!settings) return null
  const { notify_about, notification_sound } = settings
  const isAll = notify_about.includes('all')
  const choose = (rule: NotifyAbout, isChecked: boolean) => {
    const others = notify_about.filter((other) => other !== rule)
    save({ notify_about: isChecked ? [...others, rule] : others })
  }
  return (
    <fieldset className={styles.choices}>
      <legend className={styles.legend}>{t('notifications.title')}</legend>
      <Check
        label={t('notifications.all')}
        checked={isAll}
        onChange={(isChecked) => save({ notify_about: isChecked ? ['all'] : [...PARTS] })}
      />
      {PARTS.map((rule) => (
        <Check
          key={rule}
          label={t(`notifications.${rule}`)}
          checked={isAll || notify_about.includes(rule)}
          disabled={isAll}
          onChange={(isChecked) => choose(rule, isChecked)}
        />
      ))}
      <div className={styles.row}>
        <Check
          label={t('notifications.sound')}
          checked={notification_sound}
          onChange={(isChecked) => save({ notification_sound: isChecked })}
        />
        <Button size="small" variant="text" onClick={testSound}>
          {t('notifications.try_sound')}
        </Button>
      </div>
      {notification_sound && <VolumeChoice />}
      <DesktopPermission />
    </fieldset>
  )
}

/** How loud this browser rings. Each choice is heard at once. */
function VolumeChoice() {
  const { t } = useTranslation()
  const [volume, setVolume] = useState(readVolume)
  return (
    <Choice
      legend={t('notifications.volume')}
      options={(Object.keys(VOLUMES) as Volume[]).map((value) => ({
        value,
        label: t(`notifications.volumes.${value}`),
      }))}
      value={volume}
      onChange={(next) => {
        chooseVolume(next)
        setVolume(next)
        void testSound()
      }}
    />
  )
}

/** Browsers ask for permission once and remember the answer, so they are only asked on request. */
function DesktopPermission() {
  const { t } = useTranslation()
  const [permission, setPermission] = useState(readPermission)
  if (permission === 'default') {
    return (
      <Button size="small" onClick={async () => setPermission(await Notification.requestPermission())}>
        {t('notifications.desktop_allow')}
      </Button>
    )
  }
  return <p className={styles.hint}>{t(`notifications.desktop_${permission}`)}</p>
}
