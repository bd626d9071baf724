import type { Message } from '#contract/conversations/messages.ts'
import styles from './Bubble.module.css'
import { DeleteMessage } from './DeleteMessage.tsx'
import { SplitMessage } from './SplitMessage.tsx'

/** The buttons beside a message. */
export function MessageTools({ message }: { message: Message }) {
  return (
    <span className={styles.tools}>
      <SplitMessage message={message} />
      <DeleteMessage message={message} />
    </span>
  )
}
