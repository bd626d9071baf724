import { useTranslation } from 'react-i18next'
import type { ClosedDay } from '#contract/widget/working-hours.ts'
import { Check } from '../../../ui/Check.tsx'
import { ComboBox } from '../../../ui/ComboBox.tsx'
import { endsAfter, STARTS, writeMinute } from './day-minutes.ts'
import styles from './WorkingHours.module.css'

/** A day of the form before anything is entered. */
export const EMPTY_DAY: ClosedDay = { date: '', name: '', yearly: false, periods: [] }

const MORNING = { start_minute: 540, end_minute: 720 }

const option = (minute: number) => ({ value: String(minute), label: writeMinute(minute) })

/** Whether the team works for some hours of a closed day, and which. */
export function PeriodFields({ day, change }: { day: ClosedDay; change: (day: ClosedDay) => void }) {
  const { t } = useTranslation()
  const [period] = day.periods
  const set = (periods: ClosedDay['periods']) => change({ ...day, periods })
  return (
    <>
      <Check
        label={t('hours.closed.partly')}
        checked={!!period}
        onChange={(isPartly) => set(isPartly ? [MORNING] : [])}
      />
      {period && (
        <div className={styles.add}>
          <ComboBox
            label={t('hours.from')}
            value={String(period.start_minute)}
            options={STARTS.map(option)}
            onChange={(minute) => {
              const start_minute = Number(minute)
              const end_minute = Math.max(period.end_minute, endsAfter(start_minute)[0] ?? start_minute)
              set([{ start_minute, end_minute }])
            }}
          />
          <ComboBox
            label={t('hours.until')}
            value={String(period.end_minute)}
            options={endsAfter(period.start_minute).map(option)}
            onChange={(minute) => set([{ ...period, end_minute: Number(minute) }])}
          />
        </div>
      )}
    </>
  )
}
