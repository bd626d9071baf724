import type { ReactNode } from 'react'
import styles from './Definition.module.css'

/** One line of a list of what is known: its name, and beside it what it is. What nobody knows takes no line. */
export function Definition({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null
  return (
    <div className={styles.definition}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
