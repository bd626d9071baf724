import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { previewOf } from '#contract/text/plain.ts'
import { lazyComponent } from '../../../../platform/lazy/lazy-component.tsx'
import { messageTime, useAges } from '../../../../platform/times.ts'
import { Each } from '../../../../ui/Each.tsx'
import { LazyMount } from '../../../../ui/LazyMount.tsx'
import styles from './ConversationDetails.module.css'
import { previousQuery, RELATED_SHOWN, relatedQuery } from './queries.ts'

const ConversationDialog = lazyComponent(
  async () => (await import('../list/ConversationDialog.tsx')).ConversationDialog,
)

/**
 * The customer's other conversations: the previous one and the latest. Each opens in a dialog. Renders nothing if there
 * are none.
 */
export function RelatedConversations({ conversation_id }: { conversation_id: string }) {
  const { t } = useTranslation()
  const [read, setRead] = useState<{ conversation: Conversation; open: boolean }>()
  const open = (conversation: Conversation) => setRead({ conversation, open: true })
  const previous = useQuery(previousQuery(conversation_id))
  const related = useQuery(relatedQuery(conversation_id))
  if (!previous.data && !related.data?.length) return null
  return (
    <section className={styles.section} aria-label={t('conversation.related')}>
      <h3>{t('conversation.related')}</h3>
      <ul className={styles.related}>
        <Each
          name="conversation"
          items={related.data?.slice(0, RELATED_SHOWN) ?? []}
          keyOf={(conversation) => conversation.id}
        >
          {(conversation) => (
            <li>
              <Related conversation={conversation} open={open} />
            </li>
          )}
        </Each>
      </ul>
      {previous.data && (
        <button type="button" className={styles.previous} onClick={() => previous.data && open(previous.data)}>
          {t('conversation.previous')}
        </button>
      )}
      <LazyMount when={!!read}>
        {read && (
          <ConversationDialog key={read.conversation.id} {...read} close={() => setRead({ ...read, open: false })} />
        )}
      </LazyMount>
    </section>
  )
}

interface RelatedProps {
  conversation: Conversation
  open: (conversation: Conversation) => void
}

function Related({ conversation, open }: RelatedProps) {
  const { t } = useTranslation()
  const ago = useAges()
  const { last_activity_at } = conversation
  const newest = conversation.messages.at(-1)
  return (
    <button type="button" className={styles.other} onClick={() => open(conversation)}>
      <span className={styles.when}>
        <time dateTime={last_activity_at} title={messageTime(last_activity_at)}>
          {ago(last_activity_at, 'long')}
        </time>
        {conversation.status === 'closed' && <span>{t('conversation.statuses.closed')}</span>}
      </span>
      <span className={styles.excerpt} dir="auto">
        {newest ? previewOf(newest) || t('list.attachment') : t('list.empty_conversation')}
      </span>
    </button>
  )
}
