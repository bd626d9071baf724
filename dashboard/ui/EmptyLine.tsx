import type { ReactNode } from 'react'
import styles from './EmptyLine.module.css'

interface EmptyLineProps {
  children: ReactNode
  /** The next step. */
  action?: ReactNode
}

/** The empty state of a part of a page, in one line. For whole pages use `EmptyState`. */
export function EmptyLine({ children, action }: EmptyLineProps) {
  return (
    <div className={styles.line}>
      <p>{children}</p>
      {action}
    </div>
  )
}
