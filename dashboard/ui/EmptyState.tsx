import type { ReactNode } from 'react'
import { Drawing, type DrawingName } from './Drawing.tsx'
import styles from './EmptyState.module.css'

interface EmptyStateProps {
  drawing: DrawingName
  title: string
  text?: ReactNode
  /** The next step. */
  action?: ReactNode
  /** Announced at once: for what failed. */
  alert?: boolean
  /** The title is that of the whole page. */
  isPage?: boolean
}

/** A quiet page or pane without content: what will be here, or what happened, and the next step. */
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
