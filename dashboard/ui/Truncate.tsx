import styles from './Truncate.module.css'

interface TruncateProps {
  text: string
  /** How many lines it may take. */
  lines?: number
}

/** Up to this length the whole text fits, so it has no tooltip. */
const SHORT = 40

/** Text of any length, cut where it would fill the screen; the whole of it shows under the pointer. */
export function Truncate({ text, lines = 2 }: TruncateProps) {
  return (
    <span
      className={styles.truncated}
      dir="auto"
      style={{ WebkitLineClamp: lines }}
      title={text.length > SHORT ? text : undefined}
    >
      {text}
    </span>
  )
}
