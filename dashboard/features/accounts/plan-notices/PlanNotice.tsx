import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { includesFeature, type PlanFeature } from '#contract/accounts/plans.ts'
import { isBillingEnabled } from '../../../platform/environment.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { useTeam } from '../accounts/account.ts'

/** What is connected on a page of its own, whose text is fixed. */
const isIntegration = (feature: PlanFeature) => ['slack', 'gmail', 'google_sheets'].includes(feature)

/** Shows that only larger plans include a feature, without disabling it. Renders nothing where billing is off. */
export function PlanNotice({ feature }: { feature: PlanFeature }) {
  const { t } = useTranslation()
  const { account } = useTeam()
  if (!isBillingEnabled() || includesFeature(account.subscription_plan, feature)) return null
  if (feature === 'email_forwarding') {
    return (
      <Banner tone="warning">
        <Trans i18nKey="plan_notices.email_forwarding" components={{ trial: <Link to="/settings/billing">.</Link> }} />
      </Banner>
    )
  }
  return (
    <Banner tone="warning" action={<Link to="/settings/billing">{t('plan_notices.upgrade')}</Link>}>
      {t(`plan_notices.${isIntegration(feature) ? 'integration' : includesFeature('lite', feature) ? 'lite' : 'team'}`)}
    </Banner>
  )
}
