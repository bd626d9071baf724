import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Page } from '../../../ui/Page.tsx'
import styles from './PageBesideViews.module.css'
import { ViewsBar } from './ViewsBar.tsx'

interface BesideProps {
  title: string
  text: string
  children: ReactNode
}

/** A page beside the views of the inbox. Phones show it alone, with a way back. */
export function PageBesideViews({ title, text, children }: BesideProps) {
  const { t } = useTranslation()
  return (
    <div className={styles.area}>
      <div className={styles.views}>
        <ViewsBar />
      </div>
      <Page
        back={
          <div className={styles.back}>
            <BackLink to="/conversations/all">{t('nav.inbox')}</BackLink>
          </div>
        }
        title={title}
        text={text}
      >
        {children}
      </Page>
    </div>
  )
}
