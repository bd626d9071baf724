import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type OnboardingStatus, onboarding } from '#contract/onboarding.ts'
import { isBillingEnabled } from '../../platform/environment.ts'
import { call } from '../../platform/http/api.ts'
import { errorText } from '../../platform/http/errors.ts'
import { Icon } from '../../ui/Icon.tsx'
import { LoadFailed } from '../../ui/LoadFailed.tsx'
import { Page } from '../../ui/Page.tsx'
import { useTeam } from '../accounts/account.ts'
import { inboxesQuery } from '../inboxes/queries.ts'
import styles from './GettingStartedPage.module.css'

/** First steps, with what is done already. Who joins a team comes here too, and has fewer. */
export function GettingStartedPage() {
  const { t } = useTranslation()
  const { me } = useTeam()
  const isAdmin = me.role === 'admin'
  const { data: inboxes } = useQuery(inboxesQuery)
  const {
    data: status,
    error,
    refetch,
  } = useQuery({
    queryKey: ['onboarding'],
    queryFn: ({ signal }) => call(onboarding.status, { signal }),
    refetchOnMount: 'always',
  })
  const inbox = inboxes?.find(({ is_primary }) => is_primary) ?? inboxes?.[0]
  const all: [keyof OnboardingStatus, string, string][] = [
    ['has_configured_inbox', 'inbox', inbox ? `/inboxes/${inbox.id}/chat-widget` : '/inboxes'],
    ['has_configured_profile', 'profile', '/settings/profile'],
    ['has_invited_teammates', 'team', '/settings/team'],
    ['has_integrations', 'integrations', '/integrations'],
    ...(isBillingEnabled() ? [['has_upgraded_subscription', 'billing', '/settings/billing'] as const] : []),
  ].map(([flag, name, path]) => [flag as keyof OnboardingStatus, name!, path!])
  const steps = isAdmin ? all : all.filter(([, name]) => name === 'profile')
  return (
    <Page title={t('getting_started.title')} text={t(isAdmin ? 'getting_started.text' : 'getting_started.member_text')}>
      <ol className={styles.steps}>
        {steps.map(([flag, name, path]) => (
          <Step key={flag} name={name as StepName} path={path} isDone={!!status?.[flag]} />
        ))}
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
      {!isAdmin && (
        <p>
          <Link to="/conversations/all">{t('go_to_inbox')}</Link>
        </p>
      )}
    </Page>
  )
}

type StepName = 'inbox' | 'profile' | 'team' | 'integrations' | 'billing'

function Step({ name, path, isDone }: { name: StepName; path: string; isDone: boolean }) {
  const { t } = useTranslation()
  return (
    <li className={styles.step} data-done={isDone || undefined}>
      <span className={styles.sign}>{isDone && <Icon name="check" size={18} />}</span>
      <span className={styles.words}>
        <Link to={path} className={styles.name}>
          {t(`getting_started.${name}`)}
        </Link>
        <span className={styles.text}>{t(`getting_started.${name}_text`)}</span>
        <span className="unseen">{isDone && t('getting_started.done')}</span>
      </span>
    </li>
  )
}
