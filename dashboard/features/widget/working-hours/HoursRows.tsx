import { useTranslation } from 'react-i18next'
import type { WorkingHours } from '#contract/widget/working-hours.ts'
import { newId } from '../../../platform/new-id.ts'
import { Each } from '../../../ui/Each.tsx'
import { Undrawn } from '../../../ui/PartBoundary.tsx'
import { HoursRow } from './HoursRow.tsx'
import styles from './WorkingHours.module.css'

/** A row of the form, with a key of its own. */
export interface DayRow {
  key: string
  hours: WorkingHours
}

interface RowsProps {
  rows: DayRow[]
  write: (rows: DayRow[]) => void
  /** Indexes of overlapping rows. */
  overlapping: number[]
}

/** The rows of a form of working hours. */
export function HoursRows({ rows, write, overlapping }: RowsProps) {
  const { t } = useTranslation()
  if (rows.length === 0) return <p className={styles.quiet}>{t('hours.none')}</p>
  return (
    <Each name="hours" items={rows} keyOf={({ key }) => key} fallback={() => <Undrawn />}>
      {({ key, hours }, at) => (
        <HoursRow
          hours={hours}
          number={at + 1}
          overlaps={overlapping.includes(at)}
          change={(next) => write(rows.map((row) => (row.key === key ? { key, hours: next } : row)))}
          remove={() => write(rows.filter((row) => row.key !== key))}
        />
      )}
    </Each>
  )
}

export function keyed(list: WorkingHours[]): DayRow[] {
  return list.map((hours) => ({ key: newId(), hours }))
}
