import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BillingInfo } from '#contract/accounts/billing.ts'
import type { SubscriptionPlan } from '#contract/accounts/plans.ts'
import { salesEmail } from '../../../platform/environment.ts'
import { errorText } from '../../../platform/http/errors.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { notify } from '../../../ui/notices.ts'
import styles from './Billing.module.css'
import { OfferList } from './OfferList.tsx'
import { choosePlan } from './queries.ts'

/** The specified width for four plans in a row. */
const WIDTH = 1000

interface PlanPickerProps {
  info: BillingInfo
  open: boolean
  close: () => void
  /** Called when a card is needed before this plan can be paid. */
  enterCard: (plan: SubscriptionPlan) => void
}

/** All plans side by side; choosing one starts or changes the subscription. */
export function PlanPicker({ info, open, close, enterCard }: PlanPickerProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [choosing, setChoosing] = useState<SubscriptionPlan>()
  const [failure, setFailure] = useState<string>()
  // A plan that was cancelled or never paid can be chosen again.
  const isPaid = info.subscription && !/^(canceled|incomplete)$/.test(info.subscription.status)
  const current = isPaid ? info.subscription_plan : undefined
  const sales = salesEmail()

  async function choose(plan: SubscriptionPlan) {
    if (!info.payment_method) return enterCard(plan)
    setChoosing(plan)
    setFailure(undefined)
    try {
      await choosePlan(client, plan, !!info.subscription)
      notifySuccess(t('billing.success'), t('billing.success_text'))
      close()
    } catch (error) {
      setFailure(errorText(error))
    }
    setChoosing(undefined)
  }

  return (
    <Dialog title={t('billing.picker.title')} open={open} close={close} size={WIDTH}>
      <div className={styles.picker}>
        {!info.had_trial && <p>{t('billing.picker.trial')}</p>}
        <FormError text={failure} />
        <OfferList
          isMarked={({ name }) => name === current}
          action={({ name }) => {
            if (name === 'enterprise')
              return sales && <ButtonLink href={`mailto:${sales}`}>{t('billing.picker.contact')}</ButtonLink>
            if (name === current) return <Button disabled>{t('billing.picker.current')}</Button>
            return (
              <Button variant="primary" loading={choosing === name} disabled={!!choosing} onClick={() => choose(name)}>
                {t('billing.picker.select', { plan: t(`billing.plans.${name}`) })}
              </Button>
            )
          }}
        />
      </div>
    </Dialog>
  )
}

const SECONDS = 10

/** Shows that a payment or a plan change succeeded. */
export function notifySuccess(title: string, text: string) {
  notify({ kind: 'success', key: 'billing', title, text, seconds: SECONDS })
}
