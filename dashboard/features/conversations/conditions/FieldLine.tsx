import type { ReactNode } from 'react'
import { IconButton } from '../../../ui/IconButton.tsx'
import styles from './FieldLine.module.css'

interface LineProps {
  /** The word that connects it with the line above. */
  joint?: string | undefined
  removeLabel: string
  remove: () => void
  /** The fields of a condition or an action. */
  children: ReactNode
}

/** The fields of a condition or an action in a line, with a button that removes it. */
export function FieldLine({ joint, removeLabel, remove, children }: LineProps) {
  return (
    <div className={styles.line}>
      {joint && <Joint>{joint}</Joint>}
      <div className={styles.fields}>{children}</div>
      <IconButton icon="trash" label={removeLabel} onClick={remove} />
    </div>
  )
}

/** A word between conditions. */
export function Joint({ children }: { children: ReactNode }) {
  return <span className={styles.joint}>{children}</span>
}
