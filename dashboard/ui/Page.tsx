import type { ReactNode } from 'react'
import styles from './Page.module.css'
import { Truncate } from './Truncate.tsx'
import { useTabTitle } from './tab-title.ts'

interface PageProps {
  /** The way back to where this stands in a list. */
  back?: ReactNode
  title: string
  /** A short word beside the title. */
  sign?: ReactNode
  text?: string | undefined
  /** What can be done here, the main thing last. */
  actions?: ReactNode
  children: ReactNode
}

/** A screen that is read from top to bottom: title, what it is for, what can be done, and then its content. */
export function Page({ back, title, sign, text, actions, children }: PageProps) {
  useTabTitle(title)
  return (
    <main className={styles.page}>
      <div className={styles.inside}>
        {back}
        <header className={styles.head}>
          <div className={styles.words}>
            <h1 className={styles.title}>
              <Truncate text={title} lines={3} /> {sign}
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
