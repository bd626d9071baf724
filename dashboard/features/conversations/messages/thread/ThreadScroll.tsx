import { Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import type { MessageTranslation } from '#contract/conversations/translations.ts'
import { lazyComponent } from '../../../../platform/lazy/lazy-component.tsx'
import { withTexts } from '../../../../platform/texts.ts'
import { DelayedFallback } from '../../../../ui/DelayedFallback.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { PartBoundary } from '../../../../ui/PartBoundary.tsx'
import { usePrinting } from '../../../../ui/usePrinting.ts'
import { VirtualLines, type VirtualLinesHandle } from '../../../../ui/VirtualList.tsx'
import { useTeam } from '../../../accounts/accounts/account.ts'
import type { Thread } from '../apply-events.ts'
import { DayLine, MessageBubble, UnreadLine, VisitLine } from '../bubble/Bubble.tsx'
import { MessageTools } from '../bubble/MessageTools.tsx'
import { OutgoingBubble } from '../bubble/OutgoingBubble.tsx'
import { useShown } from '../translations/reading.ts'
import type { Entry } from './entries.ts'
import styles from './ThreadScroll.module.css'
import { TypingLine } from './TypingLine.tsx'
import { useNewerPages } from './useNewerPages.ts'
import { useOlderPages } from './useOlderPages.ts'
import type { OpenThread } from './useOpenThread.ts'
import { useStickToBottom } from './useStickToBottom.ts'

interface ScrollProps {
  conversation: Conversation
  entries: Entry[]
  thread: Thread
  open: OpenThread
  /** Called when the newest message enters or leaves the view. */
  onBottom: (isThere: boolean) => void
  /** By message; undefined where all messages are in the reader's language. */
  translations: Translations | undefined
}

type Translations = ReadonlyMap<string, readonly MessageTranslation[]>

/**
 * The scrolling part of a thread. It opens at a searched message, the first unread one or the newest; pages load above
 * and below without a jump.
 */
export function ThreadScroll({ conversation, entries, thread, open, onBottom, translations }: ScrollProps) {
  const { t } = useTranslation()
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualLinesHandle>(null)
  const isAtEnd = thread.previous === null
  // After a search, the user has asked for the end.
  const hasLeft = open.foundNumber !== undefined && open.start === 'newest'
  const key = thread.messages.find(({ number }) => number === open.foundNumber)?.id ?? 'unread'
  const start = entries.some((entry) => entry.key === key) && !hasLeft ? key : undefined
  const bottom = useStickToBottom(scroller, list, entries, { isAtEnd, start })
  useEffect(() => onBottom(bottom.isThere), [onBottom, bottom.isThere])
  const unseen = useUnseen(conversation, thread, bottom.isThere)
  const older = useOlderPages(conversation.id, open.start, list, entries, thread.next !== null)
  const isPrinting = usePrinting()
  const newer = useNewerPages(conversation.id, open.start, scroller, thread.previous)
  const lines = entries.map((entry) => (
    <PartBoundary
      key={entry.key}
      name={`message ${entry.key}`}
      shows={contentOf(entry)}
      fallback={<PlainLine entry={entry} />}
    >
      <EntryLine entry={entry} conversation={conversation} foundNumber={open.foundNumber} translations={translations} />
    </PartBoundary>
  ))
  return (
    <div className={styles.frame}>
      <div className={styles.scroller} ref={scroller} role="log" aria-live="off" aria-label={t('thread.label')}>
        <div className={styles.spring} />
        <VirtualLines
          ref={list}
          scrollRef={scroller}
          shift={older.isPrepending}
          onResize={bottom.onResize}
          onScroll={() => {
            bottom.onScroll()
            older.onScroll()
            newer.onScroll()
          }}
        >
          {lines}
        </VirtualLines>
        {isPrinting && (
          <div className={styles.paper}>
            {thread.next !== null && <p>{t('thread.not_printed')}</p>}
            {lines}
          </div>
        )}
        <TypingLine conversation={conversation} />
      </div>
      <Suspense>
        <StickyDay scroller={scroller} list={list} entries={entries} />
      </Suspense>
      {older.state === 'loading' && (
        <DelayedFallback>
          <div className={styles.older}>{t('thread.loading_older')}</div>
        </DelayedFallback>
      )}
      {older.state === 'failed' && (
        <button type="button" className={styles.older} onClick={older.load}>
          {t('thread.older_failed')}
        </button>
      )}
      {!bottom.isThere && (
        <button
          type="button"
          className={styles.down}
          onClick={isAtEnd ? bottom.go : open.toNewest}
          aria-label={unseen > 0 ? undefined : t('thread.to_newest')}
          title={t('thread.to_newest')}
        >
          {unseen > 0 && t('thread.unseen', { count: unseen })}
          <Icon name="chevron" />
        </button>
      )}
    </div>
  )
}

const StickyDay = lazyComponent(async () => (await import('./StickyDay.tsx')).StickyDay)

/** The number of messages by others since the newest one was last in view. */
function useUnseen({ last_number }: Conversation, { messages, previous }: Thread, isThere: boolean): number {
  const { me } = useTeam()
  const [seen, setSeen] = useState(last_number)
  if (isThere && seen !== last_number) setSeen(last_number)
  if (isThere) return 0
  // Their authors are unknown while the end is not loaded, so all count.
  if (previous !== null) return last_number - seen
  return messages.filter(({ number, user_id }) => number > seen && user_id !== me.id).length
}

/** What a line shows, which stays the same object while it does not change. */
function contentOf(entry: Entry): unknown {
  return writtenIn(entry) ?? entry.key
}

/** The message of a line, whether it is sent or not. */
function writtenIn(entry: Entry) {
  if (entry.type === 'message') return entry.message
  if (entry.type === 'outgoing') return entry.outgoing
  return entry.type === 'scheduled' ? entry.scheduled : undefined
}

/** A line that cannot be drawn, as its plain text. */
function PlainLine({ entry }: { entry: Entry }) {
  const content = writtenIn(entry)
  return (
    <p className={styles.plain} dir="auto">
      {content?.body}
    </p>
  )
}

interface LineProps {
  entry: Entry
  conversation: Conversation
  foundNumber: number | undefined
  translations: Translations | undefined
}

type MessageEntry = Extract<Entry, { type: 'message' }>

/** Sources whose messages are not sent to another system. */
const HERE: Conversation['source'][] = ['chat', 'api', 'sandbox']

const MailLine = lazyComponent(async () => (await import('../recipients/MailLine.tsx')).MailLine)

const ScheduledBubble = lazyComponent(
  withTexts(['scheduled-messages'], async () => (await import('../scheduled/ScheduledBubble.tsx')).ScheduledBubble),
)
const TranslationLine = lazyComponent(
  withTexts(['translations'], async () => (await import('../translations/TranslationLine.tsx')).TranslationLine),
)
const UnprovenLine = lazyComponent(async () => (await import('../bubble/UnprovenLine.tsx')).UnprovenLine)
const DeliveryLine = lazyComponent(async () => (await import('../bubble/DeliveryLine.tsx')).DeliveryLine)
const DeliveryMeta = lazyComponent(async () => (await import('../bubble/DeliveryLine.tsx')).DeliveryMeta)

function EntryLine({ entry, conversation, foundNumber, translations }: LineProps) {
  if (entry.type === 'day') return <DayLine at={entry.at} />
  if (entry.type === 'unread') return <UnreadLine />
  if (entry.type === 'unproven') {
    return (
      <Suspense>
        <UnprovenLine claims={conversation.unproven?.claims ?? {}} />
      </Suspense>
    )
  }
  if (entry.type === 'visit') return <VisitLine {...entry} />
  if (entry.type === 'outgoing') return <OutgoingBubble {...entry} />
  if (entry.type === 'scheduled') {
    return (
      <Suspense>
        <ScheduledBubble {...entry} conversation={conversation} />
      </Suspense>
    )
  }
  return <MessageLine entry={entry} conversation={conversation} foundNumber={foundNumber} translations={translations} />
}

function MessageLine({ entry, conversation, foundNumber, translations }: LineProps & { entry: MessageEntry }) {
  const { message } = entry
  const { message: shown, ...versions } = useShown(message, translations?.get(message.id))
  const isElsewhere = !HERE.includes(conversation.source) && message.user_id !== null && !message.private
  return (
    <MessageBubble
      {...entry}
      message={shown}
      customer={conversation.customer}
      isFound={message.number === foundNumber}
      meta={
        isElsewhere && (
          <Suspense>
            <DeliveryMeta message={message} />
          </Suspense>
        )
      }
      below={
        <Suspense>
          {translations && !message.private && <TranslationLine message={message} {...versions} />}
          {conversation.source === 'email' && !message.private && <MailLine message={message} />}
          {isElsewhere && <DeliveryLine message={message} source={conversation.source} />}
        </Suspense>
      }
    >
      <MessageTools message={message} />
    </MessageBubble>
  )
}
