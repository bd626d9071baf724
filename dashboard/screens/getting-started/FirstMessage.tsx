import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { pathOfView } from '../../features/conversations/conversations/views.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import styles from './GettingStartedPage.module.css'
import { firstConversationQuery, onboardingQuery } from './queries.ts'
import { Step } from './Step.tsx'
import { StepStatus } from './StepStatus.tsx'

const ASK_EVERY_MS = 2_000

/** Waits for the first conversation and links to it. */
export function FirstMessage() {
  const { t } = useTranslation()
  const { data } = useQuery({
    ...firstConversationQuery,
    refetchInterval: ({ state }) => (state.data?.newest ? false : ASK_EVERY_MS),
  })
  const { data: progress } = useQuery(onboardingQuery)
  if (!data || !progress) return null
  const { newest } = data
  const isAnswered = progress.has_answered || !!newest?.first_replied_at
  return (
    <Step name="hello" isDone={isAnswered}>
      {newest ? (
        <div className={styles.line}>
          {!isAnswered && <StepStatus isDone text={t('getting_started.hello_arrived')} />}
          <ButtonLink variant={isAnswered ? 'plain' : 'primary'} to={pathOfView({ bucket: 'all' }, newest.id)}>
            {t(isAnswered ? 'go_to_inbox' : 'getting_started.answer')}
          </ButtonLink>
        </div>
      ) : (
        <StepStatus text={t('getting_started.waiting_hello')} />
      )}
    </Step>
  )
}
