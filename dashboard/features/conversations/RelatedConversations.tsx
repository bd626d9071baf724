import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Conversation, conversations } from '#contract/conversations.ts'
import { call } from '../../api.ts'
import { messageTime, useAges } from '../../times.ts'
import styles from './ConversationDetails.module.css'
import { pathOfView } from './views.ts'

const SHOWN = 3
const FRESH_MS = 60_000

/** The customer's other conversations: the one before this, and the latest. Nothing where there is no other. */
export function RelatedConversations({ conversation_id }: { conversation_id: string }) {
  const { t } = useTranslation()
  const previous = useQuery({
    queryKey: ['conversations', 'previous', conversation_id],
    queryFn: async ({ signal }) =>
      (await call(conversations.previous, { params: { id: conversation_id }, signal })).data,
    staleTime: FRESH_MS,
  })
  const related = useQuery({
    queryKey: ['conversations', 'related', conversation_id],
    queryFn: async ({ signal }) => {
      const query = { limit: SHOWN }
      return (await call(conversations.related, { params: { id: conversation_id }, query, signal })).data
    },
    staleTime: FRESH_MS,
  })
  if (!previous.data && !related.data?.length) return null
  return (
    <section className={styles.section} aria-label={t('conversation.related')}>
      <h3>{t('conversation.related')}</h3>
      <ul className={styles.related}>
        {related.data?.slice(0, SHOWN).map((conversation) => (
          <li key={conversation.id}>
            <RelatedLink conversation={conversation} />
          </li>
        ))}
      </ul>
      {previous.data && (
        <Link className={styles.previous} to={pathOf(previous.data)}>
          {t('conversation.previous')}
        </Link>
      )}
    </section>
  )
}

function RelatedLink({ conversation }: { conversation: Conversation }) {
  const { t } = useTranslation()
  const ago = useAges()
  const { last_activity_at } = conversation
  const newest = conversation.messages.at(-1)
  return (
    <Link to={pathOf(conversation)} className={styles.other}>
      <span className={styles.when}>
        <time dateTime={last_activity_at} title={messageTime(last_activity_at)}>
          {ago(last_activity_at, 'long')}
        </time>
        {conversation.status === 'closed' && <span>{t('conversation.statuses.closed')}</span>}
      </span>
      <span className={styles.excerpt} dir="auto">
        {newest ? newest.body?.trim() || t('list.attachment') : t('list.nothing_said')}
      </span>
    </Link>
  )
}

/** Other screens link to a conversation where it stands: with the open ones or with the closed. */
function pathOf({ id, status }: Conversation): string {
  return pathOfView({ bucket: status === 'closed' ? 'closed' : 'all' }, id)
}
