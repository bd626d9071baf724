import type { QueryClient } from '@tanstack/react-query'
import { t } from 'i18next'
import { userName } from '#contract/accounts/users.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { conversations } from '#contract/conversations/conversations.ts'
import type { Message } from '#contract/conversations/messages.ts'
import { displayName } from '#contract/customers/customers.ts'
import type { ClientEvent } from '#contract/events.ts'
import { cutText } from '#contract/text/graphemes.ts'
import { previewOf } from '#contract/text/plain.ts'
import { call } from '../../../platform/http/api.ts'
import { logError } from '../../../platform/http/errors.ts'
import { notify } from '../../../ui/notices.ts'
import { userSettingsQuery } from '../../accounts/accounts/user-settings.ts'
import { findConversation } from '../conversations/cache.ts'
import { listBeingRead } from '../conversations/reading.ts'
import { viewedId } from '../conversations/viewing.ts'
import { showOnDesktop } from './desktop.ts'
import { isNotifiable, isWanted } from './rules.ts'
import { ringFor } from './sound.ts'

/** More than this at once, as after a night offline, become one notification. */
const MANY = 3
const BODY_LENGTH = 140

interface News {
  message: Message
  conversation: Conversation
}

/** Notifies the user of new messages, by sound and notification, as their settings allow. */
export async function notifyOfNews(
  client: QueryClient,
  events: ClientEvent[],
  user_id: number,
  open: (path: string) => void,
): Promise<void> {
  const fresh = events
    .filter((event) => event.event === 'shout')
    .map(({ payload }) => payload)
    .filter((message) => isNotifiable(message, user_id) && !isBeingRead(message.conversation_id))
  if (fresh.length === 0) return
  try {
    // Asked at once: what was read when the message arrived stays silent.
    const beingRead = await listBeingRead()
    const unread = fresh.filter(({ conversation_id }) => !beingRead.has(conversation_id))
    if (unread.length === 0) return
    const { notify_about, notification_sound } = await client.fetchQuery(userSettingsQuery)
    if (notify_about.length === 0) return
    const candidates = await Promise.all(unread.map((message) => withConversation(client, message)))
    const news = candidates.filter(({ message, conversation }) =>
      isWanted(message, conversation, notify_about, user_id),
    )
    if (news.length === 0) return
    showNews(news, user_id, open)
    if (notification_sound) await ringFor(newestOf(news))
  } catch (error) {
    logError('Notification not shown', error)
  }
}

/** The open conversation makes no sound. */
function isBeingRead(conversation_id: string): boolean {
  return viewedId() === conversation_id && document.hasFocus()
}

function newestOf(news: News[]): string {
  return news.map(({ message }) => message.created_at).reduce((a, b) => (a > b ? a : b))
}

/** Mentions are only in the full record, which lists may not have yet. */
async function withConversation(client: QueryClient, message: Message): Promise<News> {
  const cached = message.customer_id === null ? undefined : findConversation(client, message.conversation_id)
  if (cached) return { message, conversation: cached }
  const { data } = await call(conversations.get, {
    params: { id: message.conversation_id },
    query: { messages: 'last' },
  })
  return { message, conversation: data }
}

/** In the page, only mentions and messages in the user's own conversations are shown; the counters cover the rest. */
function showInPage(news: News[], user_id: number, open: (path: string) => void) {
  for (const { message, conversation } of news) {
    const isMine = message.customer_id === null || conversation.assignee_id === user_id
    if (!isMine) continue
    const name = message.customer_id ? displayName(conversation.customer) : userName(message.user)
    notify({
      kind: 'info',
      key: `news of ${conversation.id}`,
      title: t(message.customer_id ? 'notifications.wrote' : 'notifications.mentioned', { name }),
      text: excerptOf(message),
      action: { label: t('notifications.view'), run: () => open(notificationPath(conversation)) },
    })
  }
}

function excerptOf(message: Message): string {
  return cutText(previewOf(message) || t('notifications.file'), BODY_LENGTH)
}

function showNews(news: News[], user_id: number, open: (path: string) => void) {
  if (document.hasFocus()) return showInPage(news, user_id, open)
  if (news.length > MANY) {
    return showOnDesktop({
      title: t('notifications.many', { count: news.length }),
      body: '',
      tag: 'many',
      open: () => open('/conversations/all'),
    })
  }
  for (const { message, conversation } of news) {
    showOnDesktop({
      title: message.customer_id
        ? displayName(conversation.customer)
        : t('notifications.mentioned', { name: userName(message.user) }),
      body: excerptOf(message),
      tag: message.conversation_id,
      open: () => open(notificationPath(conversation)),
    })
  }
}

/** The path that a notification opens. */
function notificationPath({ id, inbox_id }: Conversation): string {
  return inbox_id ? `/inboxes/${inbox_id}/conversations/${id}` : `/conversations/all/${id}`
}
