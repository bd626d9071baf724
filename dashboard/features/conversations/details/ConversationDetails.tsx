import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations.ts'
import { copyText } from '../../../ui/clipboard.ts'
import { Fact } from '../../../ui/Fact.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Later, STAYING_MS } from '../../../ui/Later.tsx'
import { notify } from '../../../ui/notices.ts'
import { StartConversation } from '../start/StartConversation.tsx'
import styles from './ConversationDetails.module.css'
import { ConversationTags } from './ConversationTags.tsx'
import { RelatedConversations } from './RelatedConversations.tsx'
import { ShareConversation } from './ShareConversation.tsx'
import { SlackThreads } from './SlackThreads.tsx'

/** What the details panel says of the conversation itself. */
export function ConversationDetails({ conversation }: { conversation: Conversation }) {
  return (
    <div className={styles.details}>
      <ConversationTags conversation={conversation} />
      <ConversationFacts conversation={conversation} />
      <Later ms={STAYING_MS}>
        {conversation.status === 'closed' && (
          <StartConversation customer={conversation.customer} inbox_id={conversation.inbox_id} />
        )}
        <RelatedConversations conversation_id={conversation.id} />
        <SlackThreads conversation_id={conversation.id} />
        <ShareConversation conversation_id={conversation.id} />
      </Later>
    </div>
  )
}

function ConversationFacts({ conversation: { id, status, source } }: { conversation: Conversation }) {
  const { t } = useTranslation()
  const copy = async () => {
    if (await copyText(id)) notify({ kind: 'success', title: t('conversation.copied') })
  }
  return (
    <section className={styles.section} aria-label={t('conversation.about')}>
      <h3>{t('conversation.about')}</h3>
      <dl className={styles.facts}>
        <Fact name={t('conversation.status')}>{t(`conversation.statuses.${status}`)}</Fact>
        <Fact name={t('conversation.source')}>{t(`conversation.sources.${source}`)}</Fact>
        <Fact name={t('conversation.id')}>
          <span className={styles.id}>
            <code>{id}</code>
            <IconButton icon="copy" label={t('conversation.copy_id')} onClick={copy} />
          </span>
        </Fact>
      </dl>
    </section>
  )
}
