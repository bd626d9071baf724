import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BillingInfo } from '#contract/accounts/billing.ts'
import type { SubscriptionPlan } from '#contract/accounts/plans.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { useDialog } from '../../../platform/useDialog.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Page } from '../../../ui/Page.tsx'
import { AdminsOnly } from '../accounts/AdminsOnly.tsx'
import { useTeam } from '../accounts/account.ts'
import { CardBlock } from './CardBlock.tsx'
import { CardDialog } from './CardDialog.tsx'
import { InvoicesBlock } from './InvoicesBlock.tsx'
import { PlanBlock } from './PlanBlock.tsx'
import { notifySuccess, PlanPicker } from './PlanPicker.tsx'
import { billingQuery, choosePlan } from './queries.ts'

/** Plan, card and invoices. */
export function BillingPage() {
  return (
    <AdminsOnly>
      <Billing />
    </AdminsOnly>
  )
}

function Billing() {
  const { t } = useTranslation()
  const { account } = useTeam()
  const query = useQuery({ ...billingQuery, refetchOnMount: 'always' })
  return (
    <Page title={t('billing.title')} text={t('billing.text', { company: account.company_name })}>
      {query.data ? <Overview info={query.data} /> : <QueryView query={query} failed={t('billing.failed')} />}
    </Page>
  )
}

function Overview({ info }: { info: BillingInfo }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const picker = useDialog()
  const card = useDialog()
  /** The plan to choose once a card is saved; undefined when the card is only replaced. */
  const [chosenPlan, setChosenPlan] = useState<SubscriptionPlan>()

  function enterCard(plan?: SubscriptionPlan) {
    setChosenPlan(plan)
    picker.close()
    card.open()
  }

  async function finish() {
    if (chosenPlan) await choosePlan(client, chosenPlan, !!info.subscription)
    notifySuccess(t('billing.success'), t('billing.success_text'))
  }

  return (
    <>
      {!info.subscription && info.subscription_plan === 'starter' && (
        <Banner>
          {!info.had_trial && t('billing.trial.title')} {t('billing.trial.text')}
        </Banner>
      )}
      <PlanBlock info={info} pick={picker.open} />
      <CardBlock info={info} onEnterCard={() => enterCard()} />
      {info.has_portal && <InvoicesBlock />}
      <PlanPicker
        key={`plan ${picker.turn}`}
        info={info}
        open={picker.isOpen}
        close={picker.close}
        enterCard={enterCard}
      />
      <CardDialog key={`card ${card.turn}`} open={card.isOpen} close={card.close} saved={finish} />
    </>
  )
}
