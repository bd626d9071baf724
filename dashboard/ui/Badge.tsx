import styles from './Badge.module.css'

interface BadgeProps {
  count: number
  /** `danger` asks for attention, `quiet` does not. */
  tone?: 'quiet' | 'danger'
  /** What is counted, for screen readers. */
  label: string
}

/** A count beside a name. Renders nothing for zero. */
export function Badge({ count, tone = 'quiet', label }: BadgeProps) {
  if (count <= 0) return null
  return (
    <span className={styles.badge} data-tone={tone}>
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="unseen">{label}</span>
    </span>
  )
}
