import { useTranslation } from 'react-i18next'
import type { PlanFeature } from '#contract/plans.ts'
import { PlanNotice } from '../features/plan-notices/PlanNotice.tsx'
import { type Title, useTitles } from '../platform/pages.ts'
import { ButtonLink } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { useTabTitle } from '../ui/tab-title.ts'

/** Says plainly that a page of the plan is not built yet. */
export function NotThereYet({ title, feature }: { title: Title; feature?: PlanFeature | undefined }) {
  const { t } = useTranslation()
  const name = useTitles()(title)
  useTabTitle(name)
  return (
    <main className="fill column" style={{ flex: 1 }}>
      {feature && <PlanNotice feature={feature} />}
      <EmptyState
        isPage
        drawing="soon"
        title={name}
        text={t('not_there_yet')}
        action={<ButtonLink to="/conversations/all">{t('go_to_inbox')}</ButtonLink>}
      />
    </main>
  )
}
