import { changeInPercent, writePercent } from './figures.ts'
import styles from './Reporting.module.css'

interface ChangeProps {
  from: number
  to: number
  /** For durations: lower is green, higher is red. */
  lowerIsBetter?: boolean | undefined
}

/** The change in percent; nothing if there is none. */
export function Change({ from, to, lowerIsBetter }: ChangeProps) {
  const change = changeInPercent(from, to)
  if (change === undefined) return null
  const tone = !lowerIsBetter || change === 0 ? undefined : change < 0 ? 'good' : 'bad'
  return (
    <span className={styles.change} data-tone={tone}>
      {writePercent(change)}
    </span>
  )
}
