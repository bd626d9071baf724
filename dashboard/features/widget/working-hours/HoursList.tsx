import { useTranslation } from 'react-i18next'
import type { WorkingHours } from '#contract/widget/working-hours.ts'
import { Each } from '../../../ui/Each.tsx'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import { writeMinute } from './day-minutes.ts'
import { useDayNames } from './useDayNames.ts'
import styles from './WorkingHours.module.css'

/** Working hours to read. */
export function HoursList({ hours }: { hours: WorkingHours[] }) {
  const { t } = useTranslation()
  const dayName = useDayNames()
  if (hours.length === 0) return <p className={styles.quiet}>{t('hours.none')}</p>
  return (
    <Each
      name="hours"
      items={hours}
      keyOf={(period) => `${period.day}-${period.start_minute}`}
      fallback={() => <Undrawn />}
    >
      {(period) => (
        <p>
          {dayName(period.day)}, {writeMinute(period.start_minute)} – {writeMinute(period.end_minute)}
        </p>
      )}
    </Each>
  )
}
