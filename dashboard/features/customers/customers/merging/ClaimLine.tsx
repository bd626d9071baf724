import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Customer } from '#contract/customers/customers.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Tooltip } from '../../../../ui/Tooltip.tsx'
import styles from './Claim.module.css'
import { useClaim } from './useClaim.ts'

/** Beside a customer's name: the customer that they claim to be. */
export function ClaimLine({ customer }: { customer: Customer }) {
  const { t } = useTranslation()
  const claim = useClaim(customer)
  if (!claim) return null
  const label = t('claim.merge', { name: claim.name })
  return (
    <div className={styles.line}>
      <span className={styles.words}>
        {t('claim.says')} <Link to={`/customers/${claim.id}`}>{claim.name}</Link> {t('claim.unproven')}
      </span>
      <Tooltip text={t('claim.risk', { name: claim.name })}>
        <Button size="small" loading={claim.isMerging} aria-label={label} onClick={claim.merge}>
          {t('customers.merge.run')}
        </Button>
      </Tooltip>
    </div>
  )
}
