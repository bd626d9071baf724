import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './ListLine.module.css'

interface LineProps {
  /** Where it leads, or else what it opens. */
  to?: string
  open?: () => void
  /** A moment, how long ago that is, and the moment in words. */
  at: string
  age: string
  title: string
  children: ReactNode
}

/** One line of a list, to be followed or opened, with how long ago something was at its end. */
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
