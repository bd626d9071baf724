import type { ReactNode } from 'react'
import styles from './Fact.module.css'

/** One line of a list of what is known: its name and what it is, or a dash where nobody knows. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children || <span className={styles.unknown}>–</span>}</dd>
    </div>
  )
}
