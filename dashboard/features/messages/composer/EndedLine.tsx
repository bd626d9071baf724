import { Icon } from '../../../ui/Icon.tsx'
import styles from './Composer.module.css'

/** A conversation was closed or deleted; what is being written there is kept. */
export interface Ending {
  text: string
  label: string
  sendLabel: string
  /** Brings the conversation back. Answers whether that worked. */
  bringBack: () => Promise<boolean>
}

/** Says above the text that the conversation is over, and brings it back. */
export function EndedLine({ ending }: { ending: Ending }) {
  return (
    <div className={styles.line} role="alert">
      <Icon name="info" size={18} />
      <span className={styles.words}>{ending.text}</span>
      <button
        type="button"
        className={styles.link}
        // The text keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={ending.bringBack}
      >
        {ending.label}
      </button>
    </div>
  )
}
