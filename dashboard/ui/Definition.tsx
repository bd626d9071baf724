import type { ReactNode } from 'react'
import styles from './Definition.module.css'

/** One entry of a definition list. Renders nothing for unknown values. */
export function Definition({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null
  return (
    <div className={styles.definition}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
