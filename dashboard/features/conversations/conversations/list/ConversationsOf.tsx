import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { displayName } from '#contract/customers/customers.ts'
import { previewOf } from '#contract/text/plain.ts'
import { QueryView } from '../../../../platform/QueryView.tsx'
import { messageTime, useAges } from '../../../../platform/times.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Each } from '../../../../ui/Each.tsx'
import { Icon } from '../../../../ui/Icon.tsx'
import { LazyMount } from '../../../../ui/LazyMount.tsx'
import { ListLine } from '../../../../ui/ListLine.tsx'
import { Pill } from '../../../../ui/Pill.tsx'
import { ListSkeleton } from '../../../../ui/Skeleton.tsx'
import { type ConversationFilter, conversationsOfQuery } from '../conversations-of-customer.ts'
import { ConversationDialog } from './ConversationDialog.tsx'
import styles from './ConversationsOf.module.css'

interface OfProps {
  filter: ConversationFilter
  /** Shows the customer's name, where the conversations belong to different ones. */
  named?: boolean
}

/** The conversations of a customer, company or tag, latest first. Each opens in a dialog. */
export function ConversationsOf({ filter, named = false }: OfProps) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<{ conversation: Conversation; open: boolean }>()
  const pages = useInfiniteQuery(conversationsOfQuery(filter))
  if (!pages.data)
    return (
      <QueryView
        query={pages}
        failed={t('conversations_of.failed')}
        loading={<ListSkeleton rows={3} label={t('loading')} />}
      />
    )
  const conversations = pages.data.pages.flatMap(({ data }) => data)
  return (
    <>
      {conversations.length === 0 && <p className={styles.none}>{t('conversations_of.none')}</p>}
      <ul className={styles.list} aria-label={t('conversations_of.label')}>
        <Each name="conversation" items={conversations} keyOf={(conversation) => conversation.id}>
          {(conversation) => (
            <li>
              <Row conversation={conversation} named={named} open={() => setOpened({ conversation, open: true })} />
            </li>
          )}
        </Each>
      </ul>
      {pages.hasNextPage && (
        <Button block variant="text" loading={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
          {t('list.load_more')}
        </Button>
      )}
      <LazyMount when={!!opened}>
        {opened && (
          <ConversationDialog
            key={opened.conversation.id}
            conversation={opened.conversation}
            open={opened.open}
            close={() => setOpened({ ...opened, open: false })}
          />
        )}
      </LazyMount>
    </>
  )
}

interface RowProps {
  conversation: Conversation
  named: boolean
  open: () => void
}

function Row({ conversation, named, open }: RowProps) {
  const { t } = useTranslation()
  const ago = useAges()
  const { status, subject, customer, messages, last_activity_at } = conversation
  const newest = messages.at(-1)
  const text = (newest && previewOf(newest)) || t('conversations_of.no_words')
  return (
    <ListLine
      open={open}
      at={last_activity_at}
      age={ago(last_activity_at, 'short')}
      title={messageTime(last_activity_at)}
    >
      <span className={styles.words}>
        {named && (
          <span className={styles.name} dir="auto">
            {displayName(customer)}
          </span>
        )}
        <span className={styles.text} dir="auto">
          {newest?.private && (
            <>
              <Icon name="note" size={14} className={styles.note} />
              <span className="unseen">{t('thread.note')}: </span>
            </>
          )}
          {subject ? `${subject} – ${text}` : text}
        </span>
      </span>
      <Pill tone={status === 'open' ? 'success' : 'neutral'}>{t(`conversation.statuses.${status}`)}</Pill>
    </ListLine>
  )
}
