import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Offer, offers } from '#contract/accounts/plans.ts'
import { hasAlternatePricing } from '../../../platform/environment.ts'
import { formatNumber } from '../../../platform/formats.ts'
import { Each } from '../../../ui/Each.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import styles from './OfferList.module.css'
import { formatMoney } from './prices.ts'

/** The price list, with an action for each plan. */
export function OfferList({
  isMarked,
  action,
}: {
  isMarked?: (offer: Offer) => boolean
  action: (offer: Offer) => ReactNode
}) {
  const { t } = useTranslation()
  const all = offers({ alternatePricing: hasAlternatePricing() })
  return (
    <ul className={styles.offers}>
      <Each name="offer" items={all} keyOf={(offer) => offer.name}>
        {(offer, at) => (
          <li className={styles.offer} data-marked={isMarked?.(offer) || undefined}>
            <h3 className={styles.name}>{t(`billing.plans.${offer.name}`)}</h3>
            <Amount offer={offer} />
            <Included offer={offer} previous={all[at - 1]} />
            <div className={styles.action}>{action(offer)}</div>
          </li>
        )}
      </Each>
    </ul>
  )
}

function Amount({ offer: { price } }: { offer: Offer }) {
  const { t } = useTranslation()
  if (price === null) {
    return (
      <p className={styles.price}>
        <strong>{t('billing.picker.custom')}</strong>
        <span>{t('billing.picker.custom_text')}</span>
      </p>
    )
  }
  return (
    <p className={styles.price}>
      <strong>{formatMoney(price)}</strong>
      <span>{t('billing.picker.per_month')}</span>
    </p>
  )
}

/** What a plan includes. */
function Included({ offer, previous }: { offer: Offer; previous: Offer | undefined }) {
  const { name, seats, messages, adds } = offer
  const { t } = useTranslation()
  const retention = name === 'starter' || name === 'lite' ? name : 'unlimited'
  const included = [
    ...(previous ? [t('billing.included.everything', { plan: t(`billing.plans.${previous.name}`) })] : []),
    seats === null ? t('billing.included.seats_unlimited') : t('billing.included.seats', { count: seats }),
    messages === null
      ? t('billing.included.messages_unlimited')
      : t('billing.included.messages', { messages: formatNumber(messages) }),
    t(`billing.included.retention_${retention}`),
    ...adds.map((feature) => t(`billing.features.${feature}`)),
  ]
  return (
    <ul className={styles.included}>
      {included.map((text) => (
        <li key={text}>
          <Icon name="check" size={16} />
          {text}
        </li>
      ))}
    </ul>
  )
}
