import type { ReactNode } from 'react'
import { DelayedFallback } from './DelayedFallback.tsx'
import { Bone } from './Skeleton.tsx'
import styles from './Table.module.css'

interface TableProps {
  label: string
  /** Titles of the columns. The last column holds what can be done; its title is for screen readers alone. */
  columns: readonly [...string[], string]
  /** How many columns before the last one hold figures; their cells say `data-figures`, too. */
  figures?: number
  /** Rows of cells, as many as there are columns. */
  children: ReactNode
}

/** A plain table with hairlines. On phones each row becomes an entry of a list. */
export function Table({ label, columns, figures = 0, children }: TableProps) {
  const last = columns.length - 1
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map((title, at) => (
            <th key={title} scope="col" data-figures={(at < last && at >= last - figures) || undefined}>
              {at === last ? <span className="unseen">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}

const WIDTHS = ['72%', '54%', '80%', '63%', '47%']

/** Rows of a table that is being loaded. */
export function TableSkeleton({ label }: { label: string }) {
  return (
    <DelayedFallback>
      <div role="status" aria-label={label}>
        {WIDTHS.map((width) => (
          <div key={width} className={styles.bones}>
            <Bone width="60%" />
            <Bone width={width} height={8} />
          </div>
        ))}
      </div>
    </DelayedFallback>
  )
}
