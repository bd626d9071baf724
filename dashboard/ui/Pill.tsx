import type { ReactNode } from 'react'
import styles from './Pill.module.css'

export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger' | 'note' | 'bot'

/** A short text on a colored background. */
export function Pill({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={styles.pill} data-tone={tone}>
      {children}
    </span>
  )
}
