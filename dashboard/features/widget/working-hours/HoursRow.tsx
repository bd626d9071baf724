import { useTranslation } from 'react-i18next'
import { WORKING_DAYS, type WorkingHours } from '#contract/widget/working-hours.ts'
import { ComboBox } from '../../../ui/ComboBox.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Select } from '../../../ui/Select.tsx'
import { endsAfter, LAST_MINUTE, STARTS, startAt, writeMinute } from './day-minutes.ts'
import { useDayNames } from './useDayNames.ts'
import styles from './WorkingHours.module.css'

interface RowProps {
  hours: WorkingHours
  /** From 1, to distinguish the rows' labels. */
  number: number
  /** Overlaps with another row. */
  overlaps: boolean
  change: (hours: WorkingHours) => void
  remove: () => void
}

const option = (minute: number) => ({ value: String(minute), label: writeMinute(minute) })
/** Hours set through the API may not be on the half hour. */
const withOwn = (minutes: number[], own: number) => [...new Set([...minutes, own])].sort((a, b) => a - b)

/** Days, start and end of one row. */
export function HoursRow({ hours, number, overlaps, change, remove }: RowProps) {
  const { t } = useTranslation()
  const dayName = useDayNames()
  const label = (name: 'day' | 'from' | 'until') => `${t(`hours.${name}`)} ${number}`
  const starts = withOwn(STARTS, Math.min(hours.start_minute, LAST_MINUTE - 1))
  const ends = withOwn(endsAfter(hours.start_minute), hours.end_minute)
  return (
    <div className={styles.row}>
      <Select
        hideLabel
        label={label('day')}
        invalid={overlaps}
        value={hours.day}
        onChange={(day) => change({ ...hours, day })}
        options={WORKING_DAYS.map((day) => ({ value: day, label: dayName(day) }))}
      />
      <ComboBox
        hideLabel
        label={label('from')}
        invalid={overlaps}
        value={String(hours.start_minute)}
        onChange={(minute) => change(startAt(hours, Number(minute)))}
        options={starts.map(option)}
      />
      <span aria-hidden="true">–</span>
      <ComboBox
        hideLabel
        label={label('until')}
        invalid={overlaps}
        value={String(hours.end_minute)}
        onChange={(minute) => change({ ...hours, end_minute: Number(minute) })}
        options={ends.map(option)}
      />
      <IconButton icon="trash" label={`${t('hours.remove')} ${number}`} onClick={remove} />
    </div>
  )
}
