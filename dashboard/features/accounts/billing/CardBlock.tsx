import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BillingInfo } from '#contract/accounts/billing.ts'
import { showError } from '../../../platform/http/errors.ts'
import { Button } from '../../../ui/Button.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import styles from './Billing.module.css'
import { brandName } from './prices.ts'
import { openPortal } from './queries.ts'

/** The card that is charged. */
export function CardBlock({
  info: { payment_method, has_portal },
  onEnterCard,
}: {
  info: BillingInfo
  onEnterCard: () => void
}) {
  const { t } = useTranslation()
  return (
    <Block title={t('billing.card')} text={t('billing.card_text')}>
      {payment_method ? (
        <div>
          <p className={styles.card}>
            {t('billing.card_ends', { brand: brandName(payment_method.brand), last4: payment_method.last4 })}
          </p>
          <p className={styles.quiet}>
            {t('billing.card_expires', {
              month: String(payment_method.exp_month).padStart(2, '0'),
              year: payment_method.exp_year,
            })}
          </p>
        </div>
      ) : (
        <p className={styles.quiet}>{t('billing.no_card')}</p>
      )}
      <div className={styles.actions}>
        <Button onClick={onEnterCard}>{t(payment_method ? 'billing.update_card' : 'billing.add_card')}</Button>
        {has_portal && <Portal />}
      </div>
    </Block>
  )
}

/** Opens the payment provider's portal, for everything that this page does not offer. */
function Portal() {
  const { t } = useTranslation()
  const [isOpening, setOpening] = useState(false)
  async function open() {
    setOpening(true)
    try {
      location.assign(await openPortal())
    } catch (error) {
      showError('Portal not opened', error)
      setOpening(false)
    }
  }
  return (
    <Button variant="text" loading={isOpening} onClick={open}>
      {t('billing.portal')}
    </Button>
  )
}
