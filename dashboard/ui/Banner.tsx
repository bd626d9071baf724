import type { ReactNode } from 'react'
import styles from './Banner.module.css'
import { Icon } from './Icon.tsx'

interface BannerProps {
  /** `info` tells, `success` says that all is well, `warning` wants something soon, `danger` wants it now. */
  tone?: 'info' | 'success' | 'warning' | 'danger'
  children: ReactNode
  /** What can be done about it. */
  action?: ReactNode
}

const ICONS = { info: 'info', success: 'check', warning: 'alert', danger: 'alert' } as const

/** A sentence above what it is about, which stays as long as it is true. */
export function Banner({ tone = 'info', children, action }: BannerProps) {
  return (
    <div className={styles.banner} data-tone={tone} role={tone === 'info' ? 'note' : 'status'}>
      <Icon name={ICONS[tone]} size={18} />
      <p className={styles.text}>{children}</p>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
