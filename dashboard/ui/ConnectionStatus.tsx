import styles from './ConnectionStatus.module.css'

export type Connection = 'connecting' | 'live' | 'catching-up' | 'offline'

/** A dot and a word: whether the screen is up to date. */
export function ConnectionStatus({ state, label, stacked }: { state: Connection; label: string; stacked?: boolean }) {
  return (
    <span className={styles.icon} data-state={state} data-stacked={stacked} role="status">
      <span className={styles.dot} aria-hidden="true" />
      {label}
    </span>
  )
}
