import type { ReactNode } from 'react'
import styles from './Sandbox.module.css'

/** One component or group of tokens, with its name. */
export function Specimen({ name, tall, children }: { name: string; tall?: boolean; children: ReactNode }) {
  return (
    <section className={styles.specimen} data-tall={tall || undefined}>
      <h2>{name}</h2>
      <div className={styles.stage}>{children}</div>
    </section>
  )
}
