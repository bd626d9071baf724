import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ProductLogo } from '../../../ui/ProductLogo.tsx'
import { useTabTitle } from '../../../ui/tab-title.ts'
import { AuthDrawing } from './AuthDrawing.tsx'
import styles from './AuthPage.module.css'

interface AuthPageProps {
  title: string
  text?: string
  children: ReactNode
  footer?: ReactNode
}

/** The layout of the forms for people who are not signed in. */
export function AuthPage({ title, text, children, footer }: AuthPageProps) {
  const { t } = useTranslation()
  useTabTitle(title)
  return (
    <div className={styles.page}>
      <main className={styles.side}>
        <div className={styles.brand}>
          <ProductLogo />
          {t('product')}
        </div>
        <div className={styles.form}>
          <h1 className={styles.title}>{title}</h1>
          {text && <p className={styles.text}>{text}</p>}
          {children}
          {footer && <div className={styles.footer}>{footer}</div>}
        </div>
      </main>
      <aside className={styles.picture} aria-hidden="true">
        <AuthDrawing />
        <p>{t('auth.motto')}</p>
      </aside>
    </div>
  )
}
