import styles from './Cut.module.css'

interface CutProps {
  text: string
  /** How many lines it may take. */
  lines?: number
}

/** What fits on a line or two anyway needs no second telling. */
const SHORT = 40

/** Text of any length, cut where it would fill the screen; the whole of it shows under the pointer. */
export function Cut({ text, lines = 2 }: CutProps) {
  return (
    <span
      className={styles.cut}
      dir="auto"
      style={{ WebkitLineClamp: lines }}
      title={text.length > SHORT ? text : undefined}
    >
      {text}
    </span>
  )
}
