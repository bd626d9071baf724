import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { PlanFeature } from '#contract/accounts/plans.ts'
import { errorText } from '../../../platform/http/errors.ts'
import { QueryView } from '../../../platform/QueryView.tsx'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Block } from '../../../ui/EditBlock.tsx'
import { LoadFailed } from '../../../ui/LoadFailed.tsx'
import { Page } from '../../../ui/Page.tsx'
import { AdminsOnly } from '../../accounts/accounts/AdminsOnly.tsx'
import { PlanNotice } from '../../accounts/plan-notices/PlanNotice.tsx'
import { inboxQuery } from '../../widget/inboxes/queries.ts'
import { integrationsQuery } from '../authorizations/queries.ts'
import styles from './Integrations.module.css'

interface IntegrationPageProps {
  title: string
  text: string
  badge?: ReactNode
  /** Steps, one sentence each. */
  howItWorks: string[]
  /** A feature that only larger plans include. */
  feature?: PlanFeature
  /** The connection form, settings and health card. */
  children: ReactNode
}

/**
 * The common parts of integration pages: back link, description, and how it works. The state of a connection is not shown
 * before it is known.
 */
export function IntegrationPage({ title, text, badge, howItWorks, feature, children }: IntegrationPageProps) {
  const { t } = useTranslation()
  const { inbox_id = '' } = useParams()
  const connected = useQuery(integrationsQuery)
  const inbox = useQuery({ ...inboxQuery(useQueryClient(), inbox_id), enabled: inbox_id !== '' })
  const { data } = connected
  if (inbox.error && !inbox.data) {
    return (
      <LoadFailed
        isPage
        title={t('integrations.inbox_failed')}
        text={errorText(inbox.error)}
        retryLabel={t('retry')}
        retry={inbox.refetch}
        back={{ to: '/integrations', label: t('integrations.back') }}
      />
    )
  }
  return (
    <AdminsOnly>
      <Page back={<Back />} title={title} badge={data && badge} text={text}>
        {feature && <PlanNotice feature={feature} />}
        {data?.is_on === false && <Banner tone="warning">{t('integrations.off')}</Banner>}
        <Block title={t('integrations.how')}>
          <ol className={styles.how}>
            {howItWorks.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </Block>
        {data ? children : <QueryView query={connected} failed={t('integrations.failed')} />}
      </Page>
    </AdminsOnly>
  )
}

/** Links to the inbox that the integration belongs to. */
function Back() {
  const { t } = useTranslation()
  const { inbox_id } = useParams()
  return inbox_id ? <BackToInbox id={inbox_id} /> : <BackLink to="/integrations">{t('integrations.back')}</BackLink>
}

function BackToInbox({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data: inbox } = useQuery(inboxQuery(useQueryClient(), id))
  return <BackLink to={`/inboxes/${id}`}>{inbox?.name ?? t('integrations.back')}</BackLink>
}
