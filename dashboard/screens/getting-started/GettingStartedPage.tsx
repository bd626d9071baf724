import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { OnboardingStatus } from '#contract/accounts/onboarding.ts'
import type { Inbox } from '#contract/widget/inboxes.ts'
import { useTeam } from '../../features/accounts/accounts/account.ts'
import { InviteLink } from '../../features/accounts/team/InviteLink.tsx'
import { installationQuery } from '../../features/widget/inboxes/installation.ts'
import { inboxesQuery } from '../../features/widget/inboxes/queries.ts'
import { isBillingEnabled, mayRegister } from '../../platform/environment.ts'
import { errorText } from '../../platform/http/errors.ts'
import { LoadFailed } from '../../ui/LoadFailed.tsx'
import { Page } from '../../ui/Page.tsx'
import { Parts } from '../../ui/PartBoundary.tsx'
import { ListSkeleton } from '../../ui/Skeleton.tsx'
import { FirstMessage } from './FirstMessage.tsx'
import styles from './GettingStartedPage.module.css'
import { firstConversationQuery, onboardingQuery } from './queries.ts'
import { Step } from './Step.tsx'
import { WebsiteSnippet } from './WebsiteSnippet.tsx'

/** Setup steps, done on this page where possible, with the completed ones marked. Invited members see fewer of them. */
export function GettingStartedPage() {
  const { t } = useTranslation()
  const { me } = useTeam()
  const isAdmin = me.role === 'admin'
  const { data: inboxes, isPending } = useQuery(inboxesQuery)
  const inbox = inboxes?.find(({ is_primary }) => is_primary) ?? inboxes?.[0]
  const areStepsComing = useFirstSteps(isAdmin ? inbox : undefined)
  const { data: status, error, refetch } = useQuery(onboardingQuery)
  const frame = {
    title: t('getting_started.title'),
    text: t(isAdmin ? 'getting_started.text' : 'getting_started.member_text'),
  }
  if (isAdmin && (isPending || areStepsComing)) {
    return (
      <Page {...frame}>
        <ListSkeleton label={t('loading')} />
      </Page>
    )
  }
  return (
    <Page {...frame}>
      <ol className={styles.steps}>
        <Parts name="step" shows={status}>
          {isAdmin && inbox && <ChatSteps inbox={inbox} isConfigured={!!status?.has_configured_inbox} />}
          <Step name="profile" path="/settings/profile" isDone={!!status?.has_configured_profile} />
          {isAdmin && <AdminSteps status={status} />}
        </Parts>
      </ol>
      {error && !status && (
        <LoadFailed
          title={t('getting_started.failed')}
          text={errorText(error)}
          retryLabel={t('retry')}
          retry={refetch}
        />
      )}
      {isAdmin && inbox && (
        <p>
          <Link to={`/inboxes/${inbox.id}`}>{t('getting_started.see_inbox', { name: inbox.name })}</Link>
        </p>
      )}
      {isAdmin && mayRegister() && <p className={styles.hint}>{t('getting_started.open_registration')}</p>}
      {!isAdmin && (
        <p>
          <Link to="/conversations/all">{t('go_to_inbox')}</Link>
        </p>
      )}
    </Page>
  )
}

/** Loads the data of the steps. Returns whether it is still loading, because steps that move are easily missed. */
function useFirstSteps(inbox: Inbox | undefined): boolean {
  const first = useQuery({ ...firstConversationQuery, enabled: !!inbox })
  const installation = useQuery({ ...installationQuery(inbox?.id ?? ''), enabled: !!inbox })
  return first.isLoading || installation.isLoading
}

/** The steps from the website's code to the first reply. */
function ChatSteps({ inbox, isConfigured }: { inbox: Inbox; isConfigured: boolean }) {
  return (
    <>
      <Step name="inbox" path={`/inboxes/${inbox.id}/chat-widget`} isDone={isConfigured}>
        <WebsiteSnippet inbox={inbox} />
      </Step>
      <FirstMessage />
    </>
  )
}

function AdminSteps({ status }: { status: OnboardingStatus | undefined }) {
  return (
    <>
      <Step name="team" path="/settings/team" isDone={!!status?.has_invited_teammates}>
        <InviteLink />
      </Step>
      <Step name="integrations" path="/integrations" isDone={!!status?.has_integrations} />
      {isBillingEnabled() && (
        <Step name="billing" path="/settings/billing" isDone={!!status?.has_upgraded_subscription} />
      )}
    </>
  )
}
