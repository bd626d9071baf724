import type { ReactNode } from 'react'
import { Drawing, type DrawingName } from './Drawing.tsx'
import styles from './EmptyState.module.css'

interface EmptyStateProps {
  drawing: DrawingName
  title: string
  text?: ReactNode
  /** The next step. */
  action?: ReactNode
  /** Announces it to screen readers at once, for errors. */
  alert?: boolean
  /** Whether the title is the heading of the page. */
  isPage?: boolean
}

/** An empty page or pane: what will be here, or what happened, and the next step. */
export function EmptyState({ drawing, title, text, action, alert = false, isPage = false }: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'h2'
  return (
    <div className={styles.state} role={alert ? 'alert' : undefined}>
      <Drawing name={drawing} />
      <Title className={styles.title}>{title}</Title>
      {text && <p className={styles.text}>{text}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}
