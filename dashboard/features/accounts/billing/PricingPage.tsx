import { useTranslation } from 'react-i18next'
import { salesEmail } from '../../../platform/environment.ts'
import { readTokens } from '../../../platform/session/session.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { ProductLogo } from '../../../ui/ProductLogo.tsx'
import { useTabTitle } from '../../../ui/tab-title.ts'
import styles from './Billing.module.css'
import { OfferList } from './OfferList.tsx'

/** The public price list. */
export function PricingPage() {
  const { t } = useTranslation()
  useTabTitle(t('billing.pricing.title'))
  const sales = salesEmail()
  return (
    <main className={styles.pricing}>
      <div className={styles.inside}>
        <header>
          <span className={styles.brand}>
            <ProductLogo />
            {t('product')}
          </span>
          <h1 className={styles.title}>{t('billing.pricing.title')}</h1>
          <p className={styles.quiet}>{t('billing.pricing.text')}</p>
        </header>
        <OfferList
          action={({ name }) => {
            if (name === 'enterprise')
              return sales && <ButtonLink href={`mailto:${sales}`}>{t('billing.picker.contact')}</ButtonLink>
            return readTokens() ? (
              <ButtonLink to="/settings/billing">{t('billing.select_plan')}</ButtonLink>
            ) : (
              <ButtonLink variant="primary" to="/register">
                {t('billing.pricing.start')}
              </ButtonLink>
            )
          }}
        />
      </div>
    </main>
  )
}
