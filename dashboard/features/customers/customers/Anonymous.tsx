import { useTranslation } from 'react-i18next'
import type { Customer } from '#contract/customers/customers.ts'
import styles from './Anonymous.module.css'

/** Says small that a customer is anonymous: the name beside it only tells them apart. Empty for others. */
export function Anonymous({ customer: { name, email, phone } }: { customer: Customer }) {
  const { t } = useTranslation()
  if (name || email || phone) return null
  return <span className={styles.anonymous}>{t('customer.anonymous')}</span>
}
