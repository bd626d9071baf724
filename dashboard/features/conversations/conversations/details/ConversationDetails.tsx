import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { lazyComponent } from '../../../../platform/lazy/lazy-component.tsx'
import { withTexts } from '../../../../platform/texts.ts'
import { copyText } from '../../../../ui/clipboard.ts'
import { Definition } from '../../../../ui/Definition.tsx'
import { DelayedFallback, STAYING_MS } from '../../../../ui/DelayedFallback.tsx'
import { Each } from '../../../../ui/Each.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { LazyMount } from '../../../../ui/LazyMount.tsx'
import { notify } from '../../../../ui/notices.ts'
import { Parts, Undrawn } from '../../../../ui/PartBoundary.tsx'
import { useTeam } from '../../../accounts/accounts/account.ts'
import { TagEditor } from '../../../customers/tags/TagEditor.tsx'
import { StartConversation } from '../start/StartConversation.tsx'
import styles from './ConversationDetails.module.css'
import { slackThreadsQuery, tagConversation } from './queries.ts'
import { RelatedConversations } from './RelatedConversations.tsx'

// Loaded lazily, because the first screen does not need it.
const MergeConversation = lazyComponent(
  async () => (await import('../../messages/merging/MergeConversation.tsx')).MergeConversation,
)
const ConversationAttributes = lazyComponent(
  async () => (await import('./ConversationAttributes.tsx')).ConversationAttributes,
)
const MakeArticle = lazyComponent(async () => (await import('../../../help/insert/MakeArticle.tsx')).MakeArticle)
const ShareActions = lazyComponent(async () => (await import('./ShareActions.tsx')).ShareActions)

const InviteToTelegram = lazyComponent(
  withTexts(['telegram'], async () => {
    const loaded = await import('../../../../integrations/telegram/InviteToTelegram.tsx')
    return loaded.InviteToTelegram
  }),
)

const RuleHistory = lazyComponent(
  withTexts(['rules'], async () => (await import('../../rules/RuleHistory.tsx')).RuleHistory),
)

interface DetailsProps {
  conversation: Conversation
  /** Shown below the tags. */
  children?: ReactNode
}

/** The conversation's own section of the details panel. */
export function ConversationDetails({ conversation, children }: DetailsProps) {
  return (
    <div className={styles.details}>
      <Parts name="conversation" shows={conversation}>
        <ConversationTags conversation={conversation} />
        <LazyMount when>
          <ConversationAttributes conversation={conversation} />
        </LazyMount>
        {children}
        <ConversationFacts conversation={conversation} />
      </Parts>
      <DelayedFallback ms={STAYING_MS}>
        <Parts name="beside the conversation" shows={conversation}>
          {conversation.status === 'closed' && (
            <StartConversation customer={conversation.customer} inbox_id={conversation.inbox_id} />
          )}
          <RelatedConversations conversation_id={conversation.id} />
          <LazyMount when>
            <RuleHistory conversation_id={conversation.id} />
          </LazyMount>
          <SlackThreads conversation_id={conversation.id} />
          <LazyMount when>
            <MergeConversation conversation={conversation} />
            <MakeArticle conversation_id={conversation.id} />
            <ShareActions conversation_id={conversation.id} />
            <InviteToTelegram conversation={conversation} />
          </LazyMount>
        </Parts>
      </DelayedFallback>
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
        <Definition name={t('conversation.status')}>{t(`conversation.statuses.${status}`)}</Definition>
        <Definition name={t('conversation.source')}>{t(`sources.${source}`)}</Definition>
        <Definition name={t('conversation.id')}>
          <span className={styles.id}>
            <code>{id}</code>
            <IconButton icon="copy" label={t('conversation.copy_id')} onClick={copy} />
          </span>
        </Definition>
      </dl>
    </section>
  )
}

/** The tags of a conversation, updated live. */
function ConversationTags({ conversation }: { conversation: Conversation }) {
  const client = useQueryClient()
  const { me } = useTeam()
  return <TagEditor tags={conversation.tags} save={(plan) => tagConversation(client, conversation, plan, me.id)} />
}

/** Links to the conversation's threads in Slack. */
function SlackThreads({ conversation_id }: { conversation_id: string }) {
  const { t } = useTranslation()
  const { data: threads } = useQuery(slackThreadsQuery(conversation_id))
  if (!threads) return null
  return (
    <section className={styles.section} aria-label={t('conversation.slack')}>
      <h3>{t('conversation.slack')}</h3>
      {threads.length === 0 && <p className={styles.none}>{t('conversation.no_slack')}</p>}
      <Each name="thread" items={threads} keyOf={(thread) => thread.id} fallback={() => <Undrawn />}>
        {(thread) => (
          <a href={thread.permalink ?? undefined} target="_blank" rel="noreferrer">
            #{thread.slack_channel_name ?? thread.slack_channel}
          </a>
        )}
      </Each>
    </section>
  )
}
