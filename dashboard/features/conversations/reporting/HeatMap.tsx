import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { Report } from '#contract/conversations/reporting.ts'
import { weekdayName } from '../../../platform/times.ts'
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx'
import styles from './Reporting.module.css'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const WEEKDAYS = Array.from({ length: 7 }, (_, weekday) => weekday)

/** A table of weekdays and hours, darker for more messages. */
export function HeatMap({ label, cells }: { label: string; cells: Report['messages_by_hour'] }) {
  const { t } = useTranslation()
  const maxCount = Math.max(1, ...cells.map(({ count }) => count))
  const counts = new Map(cells.map(({ weekday, hour, count }) => [`${weekday} ${hour}`, count]))
  return (
    <ScrollRegion className={styles.heat} label={label}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">{t('reporting.day')}</span>
            </th>
            {HOURS.map((hour) => (
              <th key={hour} scope="col">
                {hour}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WEEKDAYS.map((weekday) => (
            <tr key={weekday}>
              <th scope="row">{weekdayName(weekday, 'long')}</th>
              {HOURS.map((hour) => {
                const count = counts.get(`${weekday} ${hour}`) ?? 0
                const title = t('reporting.heat_cell', { day: weekdayName(weekday, 'long'), hour, count })
                return (
                  <td key={hour} title={title} style={shareOf(count / maxCount)}>
                    <span className="unseen">{count}</span>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** The cell's shade, from nothing (0) to the most (1), for the style sheet. */
const shareOf = (share: number) => ({ '--share': share }) as CSSProperties
