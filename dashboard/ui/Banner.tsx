import type { ReactNode } from 'react'
import styles from './Banner.module.css'
import { Icon } from './Icon.tsx'

interface BannerProps {
  /** `info` is neutral, `success` good news, `warning` to be solved soon, `danger` at once. */
  tone?: 'info' | 'success' | 'warning' | 'danger'
  children: ReactNode
  /** A button to solve it. */
  action?: ReactNode
}

const ICONS = { info: 'info', success: 'check', warning: 'alert', danger: 'alert' } as const

/** A persistent message above the content that it is about. */
export function Banner({ tone = 'info', children, action }: BannerProps) {
  return (
    <div className={styles.banner} data-tone={tone} role={tone === 'info' ? 'note' : 'status'}>
      <Icon name={ICONS[tone]} size={18} />
      <p className={styles.text}>{children}</p>
      {action && <div>{action}</div>}
    </div>
  )
}
