import type { ReactNode } from 'react'
import styles from './EmptyLine.module.css'

interface EmptyLineProps {
  children: ReactNode
  /** The next step. */
  action?: ReactNode
}

/** A part of a page in which there is nothing, told in one quiet line. A page without anything has an `EmptyState`. */
export function EmptyLine({ children, action }: EmptyLineProps) {
  return (
    <div className={styles.line}>
      <p>{children}</p>
      {action}
    </div>
  )
}
