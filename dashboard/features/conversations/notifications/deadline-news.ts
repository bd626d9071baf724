import type { QueryClient } from '@tanstack/react-query'
import { t } from 'i18next'
import { conversations } from '#contract/conversations/conversations.ts'
import type { DeadlineNotice } from '#contract/conversations/deadlines.ts'
import { displayName } from '#contract/customers/customers.ts'
import type { ClientEvent } from '#contract/events.ts'
import { call } from '../../../platform/http/api.ts'
import { logError } from '../../../platform/http/errors.ts'
import { notify } from '../../../ui/notices.ts'
import { userSettingsQuery } from '../../accounts/accounts/user-settings.ts'
import { findConversation } from '../conversations/cache.ts'
import { pathOfView } from '../conversations/views.ts'
import { showOnDesktop } from './desktop.ts'

/** After a night offline only the newest few are told; the view of what is due has them all. */
const MANY = 3

/** Tells the user of deadlines that come close or were missed: their own, and those of nobody, in working hours only. */
export async function notifyOfDeadlines(
  client: QueryClient,
  events: ClientEvent[],
  user_id: number,
  open: (path: string) => void,
): Promise<void> {
  try {
    const { notify_about } = await client.fetchQuery(userSettingsQuery)
    const wants = (rule: 'mine' | 'unassigned') => notify_about.includes('all') || notify_about.includes(rule)
    const wanted = events.filter(isAboutDeadline).filter(({ payload }) => {
      if (!payload.is_working_time) return false
      if (payload.assignee_id === null) return wants('unassigned')
      return payload.assignee_id === user_id && wants('mine')
    })
    for (const { event, payload } of wanted.slice(-MANY)) await show(client, event, payload, open)
  } catch (error) {
    logError('Notification not shown', error)
  }
}

type DeadlineEvent = Extract<ClientEvent, { event: 'deadline:warned' | 'deadline:broken' }>

/** Whether an event is about a single deadline. */
function isAboutDeadline(event: ClientEvent): event is DeadlineEvent {
  return event.event === 'deadline:warned' || event.event === 'deadline:broken'
}

async function show(
  client: QueryClient,
  event: DeadlineEvent['event'],
  { conversation_id: id, kind }: DeadlineNotice,
  open: (path: string) => void,
) {
  const cached = findConversation(client, id)
  const { customer } = cached ?? (await call(conversations.get, { params: { id }, query: { messages: 'last' } })).data
  const name = t(`deadlines.kinds.${kind}`)
  const title = t(event === 'deadline:warned' ? 'deadlines.warned' : 'deadlines.broken', { kind: name })
  const text = displayName(customer)
  const run = () => open(pathOfView({ bucket: 'all' }, id))
  if (!document.hasFocus()) return showOnDesktop({ title, body: text, tag: `deadline of ${id}`, open: run })
  notify({ kind: 'info', key: `deadline of ${id}`, title, text, action: { label: t('notifications.view'), run } })
}
