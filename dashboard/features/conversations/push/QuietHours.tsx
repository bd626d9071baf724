import { useTranslation } from 'react-i18next'
import { clockTime } from '../../../platform/times.ts'
import { Check } from '../../../ui/Check.tsx'
import { Select } from '../../../ui/Select.tsx'
import styles from './PushBlock.module.css'
import type { ChoiceProps } from './PushChoices.tsx'

const USUAL = { quiet_from: '20:00', quiet_until: '07:00' }
/** Every half hour of a day. */
const TIMES = Array.from(
  { length: 48 },
  (_, index) => `${String(index >> 1).padStart(2, '0')}:${index % 2 ? '30' : '00'}`,
)

/** Hours in which nothing rings, by the clock of this device. */
export function QuietHours({ settings, save }: ChoiceProps) {
  const { t } = useTranslation()
  const { quiet_from, quiet_until } = settings
  const time_zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const isOn = quiet_from !== null && quiet_until !== null
  const change = (changes: Partial<typeof USUAL>) => save({ ...changes, time_zone })
  return (
    <>
      <Check
        label={t('push.quiet')}
        hint={t('push.quiet_hint')}
        checked={isOn}
        onChange={(isChecked) => save(isChecked ? { ...USUAL, time_zone } : { quiet_from: null, quiet_until: null })}
      />
      {isOn && (
        <div className={styles.times}>
          <Time
            label={t('push.quiet_from')}
            value={quiet_from}
            but={quiet_until}
            onChange={(time) => change({ quiet_from: time })}
          />
          <Time
            label={t('push.quiet_until')}
            value={quiet_until}
            but={quiet_from}
            onChange={(time) => change({ quiet_until: time })}
          />
        </div>
      )}
    </>
  )
}

interface TimeProps {
  label: string
  value: string
  /** Not offered. */
  but: string
  onChange: (time: string) => void
}

function Time({ label, value, but, onChange }: TimeProps) {
  const options = [...new Set([...TIMES, value])]
    .filter((time) => time !== but)
    .sort()
    .map((time) => ({ value: time, label: clockTime(new Date(`2000-01-01T${time}:00`)) }))
  return <Select label={label} options={options} value={value} onChange={onChange} />
}
