import type { ReactNode } from 'react'
import styles from './FormError.module.css'
import { Icon } from './Icon.tsx'

/** The error of a form, optionally with an action. */
export function FormError({ text, children }: { text: string | undefined; children?: ReactNode }) {
  if (!text) return null
  return (
    <div className={styles.error} role="alert">
      <Icon name="alert" size={18} />
      <span>
        {text} {children}
      </span>
    </div>
  )
}
