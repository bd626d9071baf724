import { type ReactNode, useEffect, useRef } from 'react'
import styles from './FormError.module.css'
import { Icon } from './Icon.tsx'

/** The error of a form, optionally with an action. It is scrolled into view: what failed is often further up or down. */
export function FormError({ text, children }: { text: string | undefined; children?: ReactNode }) {
  const line = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (text) line.current?.scrollIntoView({ block: 'nearest' })
  }, [text])
  if (!text) return null
  return (
    <div ref={line} className={styles.error} role="alert">
      <Icon name="alert" size={18} />
      <span>
        {text} {children}
      </span>
    </div>
  )
}
