import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import type { BillingInfo } from '#contract/accounts/billing.ts'
import { exceedsPlan, planLimits, upgradeBy } from '#contract/accounts/plans.ts'
import { dayTitle } from '../../../platform/times.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { ButtonLink } from '../../../ui/Button.tsx'
import { billingQuery } from '../billing/queries.ts'

/** What is more than the plan allows. */
function Excess({ info }: { info: BillingInfo }) {
  const { t } = useTranslation()
  const { num_users, num_messages, subscription_plan } = info
  const { users, messages } = planLimits(subscription_plan)
  return (
    <>
      {num_users > users && t('plan_notices.too_many_users', { count: num_users, limit: users })}{' '}
      {num_messages > messages && t('plan_notices.too_many_messages', { count: num_messages, limit: messages })}
    </>
  )
}

/** Billing problems that an admin must solve, above every page. */
export function BillingNotices() {
  const { t } = useTranslation()
  const { data } = useQuery(billingQuery)
  const isAtBilling = useLocation().pathname === '/settings/billing'
  if (!data) return null
  const open = isAtBilling ? undefined : (
    <ButtonLink size="small" to="/settings/billing">
      {t('plan_notices.open')}
    </ButtonLink>
  )
  const pay = data.payment_url ? (
    <ButtonLink size="small" href={data.payment_url}>
      {t('plan_notices.pay')}
    </ButtonLink>
  ) : undefined
  const action = (
    <>
      {pay} {open}
    </>
  )
  if (data.grace_until) {
    return (
      <Banner tone="danger" action={action}>
        {t('plan_notices.payment_failed', { date: dayTitle(data.grace_until) })}
      </Banner>
    )
  }
  if (data.subscription?.status === 'incomplete') {
    return (
      <Banner tone="danger" action={action}>
        {t('plan_notices.payment_waits')}
      </Banner>
    )
  }
  if (!exceedsPlan(data.subscription_plan, data)) return null
  return (
    <Banner tone="warning" action={open}>
      {t('plan_notices.exceeded', { date: dayTitle(upgradeBy(new Date()).toISOString()) })} <Excess info={data} />
    </Banner>
  )
}
