import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { BillingInfo, Discount, Subscription } from '#contract/accounts/billing.ts'
import { offers } from '#contract/accounts/plans.ts'
import { hasAlternatePricing } from '../../../platform/environment.ts'
import { formatNumber } from '../../../platform/formats.ts'
import { showError } from '../../../platform/http/errors.ts'
import { dayTitle } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Definition } from '../../../ui/Definition.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { notify } from '../../../ui/notices.ts'
import { Pill, type Tone } from '../../../ui/Pill.tsx'
import styles from './Billing.module.css'
import { costOf, formatMoney, nextBillingDate } from './prices.ts'
import { cancelSubscription } from './queries.ts'

/** The current plan: what it includes, its price, and usage. */
export function PlanBlock({ info, pick }: { info: BillingInfo; pick: () => void }) {
  const { t } = useTranslation()
  const { subscription } = info
  const offer = offers({ alternatePricing: hasAlternatePricing() }).find(({ name }) => name === info.subscription_plan)
  const used = (count: number, limit: number | null | undefined) =>
    limit ? t('billing.of', { used: count, most: formatNumber(limit) }) : t('billing.unlimited', { used: count })
  return (
    <Block title={t('billing.plan')} text={t('billing.plan_text')}>
      <dl className={styles.facts}>
        <Definition name={t('billing.subscription_plan')}>
          {t(`billing.plans.${info.subscription_plan}`)} {subscription && <Status of={subscription.status} />}
        </Definition>
        <Definition name={t('billing.seats')}>{used(info.num_users, offer?.seats)}</Definition>
        <Definition name={t('billing.messages')}>{used(info.num_messages_this_month, offer?.messages)}</Definition>
        {subscription && <PricesAndDates of={subscription} />}
      </dl>
      <div className={styles.actions}>
        <Button variant="primary" onClick={pick}>
          {t(subscription ? 'billing.change_plan' : 'billing.select_plan')}
        </Button>
        {subscription && subscription.status !== 'canceled' && <Cancel />}
      </div>
    </Block>
  )
}

const TONES: Record<string, Tone> = { active: 'success', trialing: 'accent', past_due: 'danger', unpaid: 'danger' }
const STATUSES = ['trialing', 'active', 'past_due', 'unpaid', 'incomplete', 'canceled', 'paused'] as const

function Status({ of }: { of: string }) {
  const { t } = useTranslation()
  const knownStatus = STATUSES.find((status) => status === of)
  return <Pill tone={TONES[of] ?? 'warning'}>{knownStatus ? t(`billing.statuses.${knownStatus}`) : of}</Pill>
}

/** Prices and dates of a subscription. */
function PricesAndDates({ of }: { of: Subscription }) {
  const { t } = useTranslation()
  const cost = costOf(of)
  const trial_end = of.trial_end && of.trial_end * 1000 > Date.now() ? of.trial_end : null
  const next = nextBillingDate(of, new Date()).toISOString()
  return (
    <>
      {of.discount?.valid && (
        <Definition name={t('billing.discount')}>
          <Off of={of.discount} />
        </Definition>
      )}
      <Definition name={t('billing.total')}>
        {cost === undefined ? t('billing.unknown_total') : formatMoney(cost)}
      </Definition>
      {trial_end && (
        <Definition name={t('billing.trial_end')}>{dayTitle(new Date(trial_end * 1000).toISOString())}</Definition>
      )}
      {of.cancel_at_period_end ? (
        <Definition name={t('billing.ends')}>
          {dayTitle(new Date(of.current_period_end * 1000).toISOString())}
        </Definition>
      ) : (
        of.status !== 'canceled' && <Definition name={t('billing.next_date')}>{dayTitle(next)}</Definition>
      )}
    </>
  )
}

function Off({ of: { name, amount_off, percent_off, currency } }: { of: Discount }) {
  const { t } = useTranslation()
  const off = amount_off
    ? t('billing.amount_off', { amount: formatMoney(amount_off, currency ?? undefined) })
    : t('billing.percent_off', { percent: percent_off })
  return name ? `${name}: ${off}` : off
}

function Cancel() {
  const { t } = useTranslation()
  const client = useQueryClient()
  async function run() {
    try {
      await cancelSubscription(client)
      notify({ kind: 'success', title: t('billing.canceled'), seconds: 10 })
    } catch (error) {
      showError('Subscription not canceled', error)
    }
  }
  return (
    <Confirm question={t('billing.confirm_cancel')} yes={t('billing.yes')} no={t('billing.no')} run={run}>
      <Button danger>{t('billing.cancel')}</Button>
    </Confirm>
  )
}
