import styles from './Badge.module.css'

interface BadgeProps {
  count: number
  /** `danger` asks for attention, `quiet` only tells. */
  tone?: 'quiet' | 'danger'
  /** What is counted, for screen readers. */
  label: string
}

/** A count beside a name. Zero shows nothing. */
export function Badge({ count, tone = 'quiet', label }: BadgeProps) {
  if (count <= 0) return null
  return (
    <span className={styles.badge} data-tone={tone}>
      <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
      <span className="unseen">{label}</span>
    </span>
  )
}
