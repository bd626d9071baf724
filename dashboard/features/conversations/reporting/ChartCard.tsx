import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Choice } from '../../../ui/Choice.tsx'
import { PartBoundary } from '../../../ui/PartBoundary.tsx'
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx'
import styles from './Reporting.module.css'

interface ChartCardProps {
  title: string
  /** The main figures. */
  headline?: ReactNode
  /** Titles of the table's columns; the first column names the rows. */
  columns: readonly string[]
  rows: readonly (readonly [name: string, ...cells: string[]])[]
  wide?: boolean
  /** The chart of the same figures. */
  children: ReactNode
}

/** Figures as a chart, or as a table to read or copy. */
export function ChartCard({ title, headline, columns, rows, wide = false, children }: ChartCardProps) {
  const { t } = useTranslation()
  const [view, setView] = useState<'chart' | 'table'>('chart')
  const isEmpty = rows.length === 0
  return (
    <section className={styles.card} data-wide={wide || undefined} aria-label={title}>
      <header className={styles.card_head}>
        <h2>{title}</h2>
        {!isEmpty && (
          <Choice
            legend={`${title}: ${t('reporting.view.label')}`}
            hideLegend
            options={[
              { value: 'chart', label: t('reporting.view.chart') },
              { value: 'table', label: t('reporting.view.table') },
            ]}
            value={view}
            onChange={setView}
          />
        )}
      </header>
      {headline && <div className={styles.headline}>{headline}</div>}
      {isEmpty ? (
        <p className={styles.none}>{t('reporting.none')}</p>
      ) : view === 'chart' ? (
        <figure className={styles.chart}>
          <PartBoundary name={title} shows={rows}>
            {children}
          </PartBoundary>
        </figure>
      ) : (
        <FiguresTable title={title} columns={columns} rows={rows} />
      )}
    </section>
  )
}

function FiguresTable({ title, columns, rows }: Pick<ChartCardProps, 'title' | 'columns' | 'rows'>) {
  return (
    <ScrollRegion className={styles.table} label={title}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, at) => (
                <td key={columns[at + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
