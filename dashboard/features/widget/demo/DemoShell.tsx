import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ProductLogo } from '../../../ui/ProductLogo.tsx'
import { useTabTitle } from '../../../ui/tab-title.ts'
import styles from './DemoPage.module.css'

/** The layout of the public demo pages. */
export function DemoShell({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) {
  const { t } = useTranslation()
  useTabTitle(title)
  return (
    <main className={styles.page}>
      <div className={styles.inside}>
        <header className={styles.head}>
          <span className={styles.brand}>
            <ProductLogo />
            {t('product')}
          </span>
          <h1>{title}</h1>
          <p className={styles.quiet}>{text}</p>
        </header>
        {children}
      </div>
    </main>
  )
}
