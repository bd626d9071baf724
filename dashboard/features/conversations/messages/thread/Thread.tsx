import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { Message } from '#contract/conversations/messages.ts'
import type { PageVisit } from '#contract/customers/customers.ts'
import { lazyComponent } from '../../../../platform/lazy/lazy-component.tsx'
import { withTexts } from '../../../../platform/texts.ts'
import { LazyMount } from '../../../../ui/LazyMount.tsx'
import { LoadFailed } from '../../../../ui/LoadFailed.tsx'
import { ThreadSkeleton } from '../../../../ui/Skeleton.tsx'
import { useTeam } from '../../../accounts/accounts/account.ts'
import type { Thread as Loaded } from '../apply-events.ts'
import { scheduledQuery } from '../scheduled/queries.ts'
import { useUnsent } from '../sending/sending.ts'
import { useTranslations } from '../translations/queries.ts'
import { useIsForeign } from '../translations/reading.ts'
import { entriesOf } from './entries.ts'
import { usePageVisits } from './page-visits.ts'
import styles from './Thread.module.css'
import { ThreadScroll } from './ThreadScroll.tsx'
import type { OpenThread } from './useOpenThread.ts'

/** Page visits up to this long before the first message are shown. */
const LEADING_MS = 30 * 60_000

interface ThreadProps {
  conversation: Conversation
  open: OpenThread
  /** Called when the newest message enters or leaves the view. */
  onBottom?: (isThere: boolean) => void
}

const nobodyAsks = () => undefined
const NONE: readonly Message[] = []

const TranslationBar = lazyComponent(
  withTexts(['translations'], async () => (await import('../translations/TranslationBar.tsx')).TranslationBar),
)

export function Thread({ conversation, open, onBottom = nobodyAsks }: ThreadProps) {
  const { t } = useTranslation()
  const { me } = useTeam()
  const unsent = useUnsent(conversation.id)
  const { data: scheduled } = useQuery(scheduledQuery(conversation.id))
  const visits = usePageVisits(conversation.customer)
  const { thread, unread, start, toNewest } = open
  const isAtEnd = thread.data?.previous === null
  const messages = thread.data?.messages ?? NONE
  const translations = useTranslations(conversation.id, messages)
  const isForeign = useIsForeign()
  const isInOtherLanguages = translations.size > 0 || messages.some(({ language }) => isForeign(language))
  const entries = useMemo(
    () =>
      thread.data &&
      entriesOf(
        thread.data.messages,
        isAtEnd ? unsent : [],
        me.id,
        unread,
        visitsWithin(visits, thread.data, conversation.closed_at),
        unprovenWithin(conversation, thread.data),
        isAtEnd ? scheduled : [],
      ),
    [thread.data, unsent, scheduled, me.id, isAtEnd, unread, visits, conversation],
  )
  // After sending a message, the end of the conversation is shown.
  const isAway = !!thread.data && !isAtEnd && unsent.length > 0
  useEffect(() => {
    if (isAway) toNewest()
  }, [isAway, toNewest])
  if (entries && thread.data && unread !== undefined) {
    if (entries.length === 0) return <p className={styles.empty}>{t('thread.no_messages')}</p>
    return (
      <>
        <LazyMount when={isInOtherLanguages}>
          <TranslationBar conversation_id={conversation.id} messages={messages} translations={translations} />
        </LazyMount>
        <ThreadScroll
          key={start}
          conversation={conversation}
          entries={entries}
          thread={thread.data}
          open={open}
          onBottom={onBottom}
          translations={isInOtherLanguages ? translations : undefined}
        />
      </>
    )
  }
  if (!thread.isError) return <ThreadSkeleton label={t('loading')} />
  return (
    <LoadFailed title={t('thread.failed')} text={thread.error.message} retryLabel={t('retry')} retry={thread.refetch} />
  )
}

/** The number of the last message before the visitor's identity was proven, if the loaded part reaches beyond it. */
function unprovenWithin({ unproven }: Conversation, { messages, previous }: Loaded): number | undefined {
  if (!unproven) return undefined
  const isWhole = previous === null || messages.some(({ number }) => number > unproven.up_to_number)
  return isWhole ? unproven.up_to_number : undefined
}

/**
 * The page visits during the loaded part of a thread. At the beginning, those shortly before the first message are
 * included. Visits after a conversation was closed are not.
 */
function visitsWithin(
  visits: readonly PageVisit[],
  { messages, next, previous }: Loaded,
  closed_at: string | null,
): readonly PageVisit[] {
  const begun = Date.parse(messages[0]?.created_at ?? '') || 0
  const first = next === null ? begun - LEADING_MS : begun
  const end = previous === null ? closed_at : messages.at(-1)!.created_at
  const last = end === null ? Number.POSITIVE_INFINITY : Date.parse(end)
  return visits.filter(({ created_at }) => Date.parse(created_at) > first && Date.parse(created_at) < last)
}
