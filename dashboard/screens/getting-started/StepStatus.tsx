import { Icon } from '../../ui/Icon.tsx'
import styles from './GettingStartedPage.module.css'

/** What the step waits for, or that it has happened. Announced to screen readers when it changes. */
export function StepStatus({ text, isDone = false }: { text: string; isDone?: boolean }) {
  return (
    <p role="status" className={styles.waiting} data-over={isDone || undefined}>
      {isDone ? <Icon name="check" size={18} /> : <span className={styles.pulse} />}
      {text}
    </p>
  )
}
