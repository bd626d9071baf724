import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import styles from './CheckLine.module.css'
import { Pill } from './Pill.tsx'

interface CheckLineProps {
  /** The latest result, or that it is waiting. */
  children: ReactNode
  /** Shown before it once the check has found something. */
  badge?: string | undefined
  check: { label: string; run: () => void }
}

/** A status line with a button that checks it. */
export function CheckLine({ children, badge, check }: CheckLineProps) {
  return (
    <div className={styles.check}>
      <p role="status">
        {badge && <Pill tone="success">{badge}</Pill>} {children}
      </p>
      <Button onClick={check.run}>{check.label}</Button>
    </div>
  )
}
