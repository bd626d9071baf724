import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import styles from './ConversationDetails.module.css'
import { slackThreadsQuery } from './queries.ts'

/** Links to the conversation's threads in Slack. */
export function SlackThreads({ conversation_id }: { conversation_id: string }) {
  const { t } = useTranslation()
  const { data: threads } = useQuery(slackThreadsQuery(conversation_id))
  if (!threads) return null
  return (
    <section className={styles.section} aria-label={t('conversation.slack')}>
      <h3>{t('conversation.slack')}</h3>
      {threads.length === 0 && <p className={styles.none}>{t('conversation.no_slack')}</p>}
      {threads.map((thread) => (
        <a key={thread.id} href={thread.permalink ?? undefined} target="_blank" rel="noreferrer">
          #{thread.slack_channel_name ?? thread.slack_channel}
        </a>
      ))}
    </section>
  )
}
