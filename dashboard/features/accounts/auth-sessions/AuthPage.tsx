import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ProductLogo } from '../../../ui/ProductLogo.tsx'
import { useTabTitle } from '../../../ui/tab-title.ts'
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

/** An illustration: two people at a table, talking. */
function AuthDrawing() {
  return (
    <svg
      className="drawing"
      viewBox="0 0 400 300"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M40 262h320M128 262v-56m144 0v56M56 206h288" />
      <path d="M66 206c0-27 14-42 34-42s34 15 34 42" />
      <circle cx="100" cy="142" r="20" />
      <path d="M266 206c0-27 14-42 34-42s34 15 34 42" />
      <circle cx="300" cy="142" r="20" />
      <path d="M176 206v-12a6 6 0 0 1 6-6h14v12a6 6 0 0 1-6 6h-14Zm20-14h5a5 5 0 0 1 0 10h-5" />
      <path d="M222 206v-14h18v14M231 192v-10c0-8 5-12 12-13 0 8-4 13-12 13m0 4c-1-7-5-10-11-10 0 6 4 10 11 10" />
      <path d="M84 34h104a12 12 0 0 1 12 12v34a12 12 0 0 1-12 12h-62l-18 18V92H84a12 12 0 0 1-12-12V46a12 12 0 0 1 12-12Z" />
      <path d="M94 56h80M94 70h52" />
      <path
        d="M232 60h84a12 12 0 0 1 12 12v24a12 12 0 0 1-12 12h-10v14l-16-14h-58a12 12 0 0 1-12-12V72a12 12 0 0 1 12-12Z"
        data-accent
      />
      <path d="M242 80h62M242 92h40" data-accent />
    </svg>
  )
}
