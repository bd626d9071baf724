import type { ReactNode } from 'react'
import styles from './Page.module.css'
import { Truncate } from './Truncate.tsx'
import { useTabTitle } from './tab-title.ts'

interface PageProps {
  /** A link back to the list. */
  back?: ReactNode
  title: string
  /** A label beside the title. */
  badge?: ReactNode
  text?: string | undefined
  /** Takes the whole width of the screen, instead of that of a text. */
  wide?: boolean
  /** The actions of the page, the main one last. */
  actions?: ReactNode
  children: ReactNode
}

/** The layout of a page: title, description, actions, and content. */
export function Page({ back, title, badge, text, wide, actions, children }: PageProps) {
  useTabTitle(title)
  return (
    <main className={styles.page}>
      <div className={styles.inside} data-wide={wide || undefined}>
        {back}
        <header className={styles.head}>
          <div className={styles.words}>
            <h1 className={styles.title}>
              <Truncate text={title} lines={3} /> {badge}
            </h1>
            {text && (
              <p className={styles.text} dir="auto">
                {text}
              </p>
            )}
          </div>
          {actions && <div className={styles.actions}>{actions}</div>}
        </header>
        {children}
      </div>
    </main>
  )
}
