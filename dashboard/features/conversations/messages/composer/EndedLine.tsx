import { Icon } from '../../../../ui/Icon.tsx'
import styles from './Composer.module.css'

/** A conversation was closed or deleted; its draft is kept. */
export interface Ending {
  text: string
  label: string
  sendLabel: string
  /** Reopens the conversation. Returns whether that succeeded. */
  reopen: () => Promise<boolean>
}

/** Shows above the text field that the conversation is closed, with a button to reopen it. */
export function EndedLine({ ending }: { ending: Ending }) {
  return (
    <div className={styles.line} role="alert">
      <Icon name="info" size={18} />
      <span className={styles.words}>{ending.text}</span>
      <button
        type="button"
        className={styles.link}
        // Keeps the focus in the text field.
        onMouseDown={(event) => event.preventDefault()}
        onClick={ending.reopen}
      >
        {ending.label}
      </button>
    </div>
  )
}
