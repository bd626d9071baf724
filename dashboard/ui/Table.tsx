import type { ReactNode } from 'react'
import { DelayedFallback } from './DelayedFallback.tsx'
import { UndrawnItem } from './Each.tsx'
import { Parts, Undrawn } from './PartBoundary.tsx'
import { Bone } from './Skeleton.tsx'
import styles from './Table.module.css'

interface TableProps {
  label: string
  /** Column titles. The last column holds actions; its title is for screen readers only. */
  columns: readonly [...string[], string]
  /** How many columns before the last one hold numbers; their cells need `data-figures`, too. */
  figures?: number
  /** Rows with as many cells as there are columns; those of foreign data by `Each`. On phones a cell with `data-label` shows that label. */
  children: ReactNode
}

/** A table. On phones each row becomes an entry of a list. */
export function Table({ label, columns, figures = 0, children }: TableProps) {
  const last = columns.length - 1
  const undrawn = (
    <tr>
      <td colSpan={columns.length}>
        <Undrawn />
      </td>
    </tr>
  )
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
      <tbody>
        <UndrawnItem value={undrawn}>
          <Parts name={label} fallback={undrawn}>
            {children}
          </Parts>
        </UndrawnItem>
      </tbody>
    </table>
  )
}

/** A cell that may have no value. It then shows dashes, and nothing on phones, where its column's title is missing. */
export function OptionalCell({ label, children }: { label?: string; children: ReactNode }) {
  const isMissing = children === null || children === undefined || children === false || children === ''
  return (
    <td data-none={isMissing || undefined} data-label={label}>
      {isMissing ? '--' : children}
    </td>
  )
}

const WIDTHS = ['72%', '54%', '80%', '63%', '47%']

/** Placeholder rows of a table. */
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
