import { useTranslation } from 'react-i18next'
import { WORKING_DAYS, type WorkingHours } from '#contract/widget/working-hours.ts'
import { weekdayName } from '../../../platform/times.ts'

const MONDAY = WORKING_DAYS.indexOf('monday')

/** The names of the days that working hours can apply to. */
export function useDayNames(): (day: WorkingHours['day']) => string {
  const { t } = useTranslation()
  return (day) =>
    day === 'everyday' || day === 'weekdays' || day === 'weekends'
      ? t(`hours.days.${day}`)
      : weekdayName(WORKING_DAYS.indexOf(day) - MONDAY, 'long')
}
