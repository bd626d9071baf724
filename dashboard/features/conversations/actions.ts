import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Conversation, ConversationRow, Tag } from '#contract/conversations.ts'
import { customerName } from '#contract/customers.ts'
import { messageTime } from '../../times.ts'
import { notify } from '../../ui/notices.ts'
import { useTeam } from '../accounts/account.ts'
import { keysOf } from '../actions/registry.ts'
import { type Changes, changeConversations, type Outcome, tagConversations } from './changing.ts'
import { setClosing } from './closing.ts'

/** Long enough to see which one leaves. */
const CLOSING_MS = 400

type Kind = 'closed' | 'reopened' | 'deleted' | 'snoozed' | 'woken' | 'assigned' | 'tagged' | 'unread' | 'changed'
type List = readonly Conversation[]

/**
 * What can be done with conversations, one or many. Each shows at once, is taken back when the server refuses, and can
 * be undone where something has left the screen.
 */
export function useConversationActions() {
  const client = useQueryClient()
  const { t } = useTranslation()
  const { me } = useTeam()
  return useMemo(() => createActions(client, t, me.id), [client, t, me.id])
}

export type ConversationActions = ReturnType<typeof createActions>

function createActions(client: QueryClient, t: TFunction, me: number) {
  const change = (list: List, changes: Changes) => changeConversations(client, list, changes, me)
  const tell = createTeller(t)

  async function reopen(list: List) {
    const closed = list.filter(({ status }) => status === 'closed')
    if (closed.length === 0) return
    await tell('reopened', await change(closed, { status: 'open' }), t('conversation.reopened'), { retry: reopen })
  }

  async function wake(list: List) {
    await tell('woken', await change(list, { snoozed: null }), t('snooze.woken'), { retry: wake })
  }

  async function close(list: List) {
    const open = list.filter(({ status }) => status === 'open')
    for (const { id } of open) setClosing(id, true)
    await new Promise((resolve) => setTimeout(resolve, CLOSING_MS))
    for (const { id } of open) setClosing(id, false)
    const outcome = await change(open, { status: 'closed' })
    const undo = (done: List) => reopen(done.map((one) => ({ ...one, status: 'closed' })))
    await tell('closed', outcome, t('conversation.was_closed', { name: nameOf(open) }), { undo, retry: close })
  }

  async function snooze(list: List, until: string | null) {
    const open = list.filter(({ status }) => status === 'open')
    const title = until ? t('snooze.until', { time: messageTime(until) }) : t('snooze.until_answer')
    const outcome = await change(open, { snoozed: { until } })
    await tell('snoozed', outcome, title, { undo: wake, retry: (rest) => snooze(rest, until) })
  }

  async function archive(list: List) {
    const outcome = await change(list, { archived_at: new Date().toISOString() })
    await tell('deleted', outcome, t('conversation.deleted'), { undo: restore, retry: archive })
  }

  async function restore(list: List) {
    await tell('changed', await change(list, { archived_at: null }), '', { retry: restore })
  }

  async function assign(list: List, assignee_id: number | null) {
    await tell('assigned', await change(list, { assignee_id }), '', { retry: (rest) => assign(rest, assignee_id) })
  }

  async function setPriority(list: List, priority: ConversationRow['priority']) {
    await tell('changed', await change(list, { priority }), '', { retry: (rest) => setPriority(rest, priority) })
  }

  async function markUnread(list: List) {
    await tell('unread', await change(list, { read: false }), '', { retry: markUnread })
  }

  async function tag(list: List, chosen: Tag) {
    const outcome = await tagConversations(client, list, chosen, me)
    await tell('tagged', outcome, '', { retry: (rest) => tag(rest, chosen) })
  }

  return { assign, setPriority, markUnread, close, reopen, snooze, wake, archive, restore, tag }
}

interface Next {
  undo?: (done: List) => unknown
  retry: (refused: List) => unknown
}

/**
 * Says what has become of a change: how many, and what of it was refused, with a way to try those again. What happened
 * to one conversation only is said in its own words, or not at all where the screen shows it.
 */
function createTeller(t: TFunction) {
  return async function tell(kind: Kind, { done, refused, reason }: Outcome, single: string, { undo, retry }: Next) {
    const many = t(`outcome.${kind}`, { count: done.length })
    if (refused.length > 0) {
      const title = done.length > 0 ? t('outcome.partly', { done: many, count: refused.length }) : reason
      notify({
        kind: 'error',
        title,
        action: { label: t('retry'), run: () => retry(refused) },
        ...(done.length > 0 && { text: reason }),
      })
    }
    const title = done.length > 1 ? many : single
    if (done.length === 0 || !title || (refused.length > 0 && !undo)) return
    const back = undo && { label: t('undo'), run: () => undo(done), keys: keysOf('undo') }
    notify({ kind: 'success', title, ...(back && { action: back }) })
  }
}

function nameOf([first]: List): string {
  return first ? customerName(first.customer) : ''
}
