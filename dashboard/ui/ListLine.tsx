import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './ListLine.module.css'

interface LineProps {
  /** The target of a link; otherwise `open` is called. */
  to?: string
  open?: () => void
  /** A time, how long ago it was, and the formatted time. */
  at: string
  age: string
  title: string
  children: ReactNode
}

/** One row of a list, a link or a button, with how long ago something happened at its end. */
export function ListLine({ to, open, at, age, title, children }: LineProps) {
  const content = (
    <>
      {children}
      <time className={styles.time} dateTime={at} title={title}>
        {age}
      </time>
    </>
  )
  return to ? (
    <Link to={to} className={styles.line}>
      {content}
    </Link>
  ) : (
    <button type="button" className={styles.line} onClick={open}>
      {content}
    </button>
  )
}
