import styles from './Truncate.module.css'

interface TruncateProps {
  text: string
  /** The most lines to show. */
  lines?: number
}

/** Texts up to this length are never cut, so they need no tooltip. */
const SHORT = 40

/** Cuts long text; a tooltip shows all of it. */
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
