import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { WORKING_DAYS, type WorkingHours } from '#contract/working-hours.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { endsAfter, LAST_MINUTE, STARTS, startAt, writeMinute } from './day-minutes.ts'
import styles from './WorkingHours.module.css'

interface RowProps {
  hours: WorkingHours
  /** Counted from one, to tell rows apart by name. */
  number: number
  /** Covers a time that another row covers, too. */
  overlaps: boolean
  change: (hours: WorkingHours) => void
  remove: () => void
}

const option = (minute: number) => ({ value: minute, label: writeMinute(minute) })
/** Hours that came by another way may lie between the half hours. */
const withOwn = (minutes: number[], own: number) => [...new Set([...minutes, own])].sort((one, other) => one - other)

/** On which days, from when, until when. */
export function HoursRow({ hours, number, overlaps, change, remove }: RowProps) {
  const { t } = useTranslation()
  const label = (name: 'day' | 'from' | 'until') => `${t(`hours.${name}`)} ${number}`
  const starts = withOwn(STARTS, Math.min(hours.start_minute, LAST_MINUTE - 1))
  const ends = withOwn(endsAfter(hours.start_minute), hours.end_minute)
  const status = overlaps ? 'error' : ''
  return (
    <div className={styles.row}>
      <Select
        aria-label={label('day')}
        status={status}
        value={hours.day}
        onChange={(day) => change({ ...hours, day })}
        options={WORKING_DAYS.map((day) => ({ value: day, label: t(`hours.days.${day}`) }))}
      />
      <Select
        aria-label={label('from')}
        status={status}
        showSearch={{ optionFilterProp: 'label' }}
        value={hours.start_minute}
        onChange={(minute) => change(startAt(hours, minute))}
        options={starts.map(option)}
      />
      <span aria-hidden="true">–</span>
      <Select
        aria-label={label('until')}
        status={status}
        showSearch={{ optionFilterProp: 'label' }}
        value={hours.end_minute}
        onChange={(end_minute) => change({ ...hours, end_minute })}
        options={ends.map(option)}
      />
      <IconButton icon="trash" label={`${t('hours.remove')} ${number}`} onClick={remove} />
    </div>
  )
}
