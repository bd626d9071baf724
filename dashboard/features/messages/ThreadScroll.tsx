import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Virtualizer, type VirtualizerHandle } from 'virtua'
import type { Conversation } from '#contract/conversations.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Later } from '../../ui/Later.tsx'
import { DayLine, MessageBubble } from './Bubble.tsx'
import type { Entry } from './entries.ts'
import { OutgoingBubble } from './OutgoingBubble.tsx'
import styles from './ThreadScroll.module.css'
import { TypingLine } from './TypingLine.tsx'
import { useOlderPages } from './useOlderPages.ts'
import { useStickToBottom } from './useStickToBottom.ts'

interface ScrollProps {
  conversation: Conversation
  entries: Entry[]
  hasOlder: boolean
}

/** The scrolled part of a thread. It opens at the newest message; older pages come in above without a jump. */
export function ThreadScroll({ conversation, entries, hasOlder }: ScrollProps) {
  const { t } = useTranslation()
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<VirtualizerHandle>(null)
  const bottom = useStickToBottom(scroller, list, entries)
  const older = useOlderPages(conversation.id, list, entries, hasOlder)
  return (
    <div className={styles.frame}>
      <div className={styles.scroller} ref={scroller} role="log" aria-live="off" aria-label={t('thread.label')}>
        <div className={styles.spring} />
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          shift={older.isPrepending}
          onScroll={() => {
            bottom.onScroll()
            older.onScroll()
          }}
        >
          {entries.map((entry) => (
            <EntryLine key={entry.key} entry={entry} conversation={conversation} />
          ))}
        </Virtualizer>
        <TypingLine conversation={conversation} />
      </div>
      {older.state === 'loading' && (
        <Later>
          <div className={styles.older}>{t('thread.loading_older')}</div>
        </Later>
      )}
      {older.state === 'failed' && (
        <button type="button" className={styles.older} onClick={older.load}>
          {t('thread.older_failed')}
        </button>
      )}
      {!bottom.isThere && (
        <button type="button" className={styles.down} onClick={bottom.go} aria-label={t('thread.to_newest')}>
          <Icon name="chevron" />
        </button>
      )}
    </div>
  )
}

function EntryLine({ entry, conversation }: { entry: Entry; conversation: Conversation }) {
  if (entry.type === 'day') return <DayLine at={entry.at} />
  if (entry.type === 'outgoing') return <OutgoingBubble {...entry} />
  return <MessageBubble {...entry} customer={conversation.customer} />
}
