import { Trans } from 'react-i18next'
import { Link } from 'react-router'
import styles from './TestNote.module.css'

/** Beside a test chat: what is written in it is a test, and where it is found. */
export function TestNote() {
  return (
    <p className={styles.note}>
      <Trans i18nKey="test_conversations.note" components={{ tests: <Link to="/conversations/tests">.</Link> }} />
    </p>
  )
}
