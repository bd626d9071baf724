import type { ReactNode } from 'react'
import styles from './Definition.module.css'

/** One line of a list of what is known: its name and what it is, or a dash where nobody knows. */
export function Definition({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.definition}>
      <dt>{name}</dt>
      <dd>{children || <span className={styles.unknown}>–</span>}</dd>
    </div>
  )
}
