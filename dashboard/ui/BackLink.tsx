import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './BackLink.module.css'
import { Icon } from './Icon.tsx'

/** The link from an item back to its list. */
export function BackLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={styles.back}>
      <Icon name="arrow-left" size={16} />
      {children}
    </Link>
  )
}
