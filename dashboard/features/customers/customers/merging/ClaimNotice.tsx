import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Customer } from '#contract/customers/customers.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import styles from './Claim.module.css'
import { useClaim } from './useClaim.ts'

/** On a customer's page and panel: the customer that they claim to be, and what merging them means. */
export function ClaimNotice({ customer }: { customer: Customer }) {
  const { t } = useTranslation()
  const claim = useClaim(customer)
  if (!claim) return null
  return (
    <section className={styles.notice} aria-label={t('claim.label')}>
      <p className={styles.title}>
        <Icon name="alert" size={16} />
        <span>
          {t('claim.says')} <Link to={`/customers/${claim.id}`}>{claim.name}</Link> {t('claim.unproven')}
        </span>
      </p>
      <p>{t('claim.risk', { name: claim.name })}</p>
      <Button loading={claim.isMerging} onClick={claim.merge}>
        {t('claim.merge', { name: claim.name })}
      </Button>
    </section>
  )
}
