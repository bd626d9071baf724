import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import type { Conversation, ConversationRow, Tag } from '#contract/conversations/conversations.ts'
import { displayName } from '#contract/customers/customers.ts'
import { messageTime } from '../../../platform/times.ts'
import { dismissKey, notify, readNotices } from '../../../ui/notices.ts'
import { accountQuery, useTeam } from '../../accounts/accounts/account.ts'
import { keysOf } from '../actions/registry.ts'
import { setClosing } from './closing.ts'
import {
  type ChangeOutcome,
  type Changes,
  changeConversations,
  showUndone,
  tagConversations,
} from './optimistic-changes.ts'
import { returningPatch, setReturning } from './patches.ts'

/** Long enough to see which conversation leaves the list. */
const CLOSING_MS = 400

type Kind = 'closed' | 'reopened' | 'deleted' | 'snoozed' | 'woken' | 'assigned' | 'tagged' | 'unread' | 'changed'
type List = readonly Conversation[]

/**
 * Changes to one or many conversations. Each is shown at once and reverted if the server refuses it. What removes a
 * conversation from the screen can be undone.
 */
export function useConversationActions() {
  const client = useQueryClient()
  const { t } = useTranslation()
  const { me } = useTeam()
  return useMemo(() => createActions(client, t, me.id), [client, t, me.id])
}

export type ConversationActions = ReturnType<typeof createActions>

/** The same for use outside components. */
export function createActions(client: QueryClient, t: TFunction, me: number) {
  const change = (list: List, changes: Changes) => changeConversations(client, list, changes, me)
  const { notifyOutcome, offerUndo } = createNotifier(client, t, (list, back) => {
    for (const { id } of list) setClosing(id, false)
    return showUndone(client, list, back, me)
  })

  /** Returns whether all of them are open. */
  async function reopen(list: List): Promise<boolean> {
    const closed = list.filter(({ status }) => status === 'closed')
    if (closed.length === 0) return true
    const steps: UndoSteps = { back: { status: 'closed' }, undo: closeAgain, retry: reopen }
    return offerUndo('reopened', closed, change(closed, { status: 'open' }), t('conversation.reopened'), steps)
  }

  async function wake(list: List) {
    const running = change(list, { snoozed: null })
    // Undoing snoozes each until the time that it had.
    const byTime = new Map<string, Conversation[]>()
    for (const conversation of list) {
      const key = JSON.stringify(snoozeOf(conversation, me))
      const same = byTime.get(key)
      if (same) same.push(conversation)
      else byTime.set(key, [conversation])
    }
    await Promise.all(
      [...byTime.values()].map((batch) => {
        const snoozed = snoozeOf(batch[0]!, me)
        const steps: UndoSteps = { back: { snoozed }, undo: (changed) => snoozeAgain(changed, snoozed), retry: wake }
        return offerUndo('woken', batch, running.then(partOf(batch)), t('snooze.woken'), steps)
      }),
    )
  }

  // What undoes a change offers no undo of its own.
  async function reopenAgain(list: List): Promise<void> {
    notifyOutcome('reopened', await change(list, { status: 'open' }), t('conversation.reopened'), reopenAgain)
  }

  async function closeAgain(list: List): Promise<void> {
    notifyOutcome('closed', await change(list, { status: 'closed' }), '', closeAgain)
  }

  async function wakeAgain(list: List): Promise<void> {
    notifyOutcome('woken', await change(list, { snoozed: null }), t('snooze.woken'), wakeAgain)
  }

  async function snoozeAgain(list: List, snoozed: Snooze): Promise<void> {
    notifyOutcome('snoozed', await change(list, { snoozed }), '', (refused) => snoozeAgain(refused, snoozed))
  }

  async function close(list: List) {
    const open = list.filter(({ status }) => status === 'open')
    const title = t('conversation.was_closed', { name: nameOf(open) })
    const steps: UndoSteps = { back: { status: 'open' }, undo: reopenAgain, retry: close }
    await offerUndo('closed', open, closeSlowly(open), title, steps)
  }

  async function closeSlowly(open: List) {
    for (const { id } of open) setClosing(id, true)
    await new Promise((resolve) => setTimeout(resolve, CLOSING_MS))
    for (const { id } of open) setClosing(id, false)
    // Conversations for which closing was undone during the animation are not sent to the server.
    return change(
      open.filter(({ id }) => !returningPatch(client, id)),
      { status: 'closed' },
    )
  }

  async function snooze(list: List, until: string | null) {
    const open = list.filter(({ status }) => status === 'open')
    const title = until ? t('snooze.until', { time: messageTime(until) }) : t('snooze.until_answer')
    const steps: UndoSteps = { back: { snoozed: null }, undo: wakeAgain, retry: (refused) => snooze(refused, until) }
    await offerUndo('snoozed', open, change(open, { snoozed: { until } }), title, steps)
  }

  async function archive(list: List) {
    const running = change(list, { archived_at: new Date().toISOString() })
    const steps: UndoSteps = { back: { archived_at: null }, undo: restore, retry: archive }
    await offerUndo('deleted', list, running, t('conversation.deleted'), steps)
  }

  /** Returns whether all of them are restored. */
  async function restore(list: List): Promise<boolean> {
    return notifyOutcome('changed', await change(list, { archived_at: null }), '', restore)
  }

  async function assign(list: List, assignee_id: number | null) {
    const title = takenFrom(client, t, list, assignee_id)
    await notifyOutcome('assigned', await change(list, { assignee_id }), title, (refused) =>
      assign(refused, assignee_id),
    )
  }

  async function moveToTeam(list: List, team_id: string | null) {
    await notifyOutcome('changed', await change(list, { team_id }), '', (refused) => moveToTeam(refused, team_id))
  }

  async function setPriority(list: List, priority: ConversationRow['priority']) {
    await notifyOutcome('changed', await change(list, { priority }), '', (refused) => setPriority(refused, priority))
  }

  async function markUnread(list: List) {
    await notifyOutcome('unread', await change(list, { read: false }), '', markUnread)
  }

  async function tag(list: List, chosen: Tag) {
    await notifyOutcome('tagged', await tagConversations(client, list, chosen, me), '', (refused) =>
      tag(refused, chosen),
    )
  }

  return { assign, moveToTeam, setPriority, markUnread, close, reopen, snooze, wake, archive, restore, tag }
}

type Snooze = NonNullable<Changes['snoozed']>

/** How a conversation is snoozed. */
function snoozeOf({ snoozed_until, follow_up }: Conversation, me: number): Snooze {
  return { until: snoozed_until, ...(follow_up?.user_id === me && { follow_up: true }) }
}

/** The outcome for some of the changed conversations. */
function partOf(batch: List) {
  const ids = new Set(batch.map(({ id }) => id))
  return ({ done, refused, reason }: ChangeOutcome): ChangeOutcome => ({
    done: done.filter(({ id }) => ids.has(id)),
    refused: refused.filter(({ id }) => ids.has(id)),
    reason,
  })
}

/** Says so if a conversation is taken from somebody else; empty otherwise. */
function takenFrom(client: QueryClient, t: TFunction, [first]: List, assignee_id: number | null): string {
  const before = first?.assignee_id
  const holder = client.getQueryData(accountQuery.queryKey)?.users.find(({ id }) => id === before)
  if (!holder || before === assignee_id || assignee_id === null) return ''
  return t('assignments.was_taken', { name: userName(holder) })
}

type Retry = (refused: List) => unknown
type Returning = ReturnType<typeof showUndone>

interface UndoSteps {
  /** The change that undoing makes. */
  back: Changes
  undo: (done: List) => unknown
  retry: Retry
}

/**
 * Shows the result of a change: how many succeeded, and which were refused, with a button to retry those. Changes of a
 * single conversation use their own text, or none where the screen shows the result.
 */
function createNotifier(client: QueryClient, t: TFunction, showUndone: (list: List, back: Changes) => Returning) {
  const titleOf = (kind: Kind, count: number, single: string) => (count > 1 ? t(`outcome.${kind}`, { count }) : single)

  /** Returns whether nothing was refused. */
  function notifyOutcome(kind: Kind, { done, refused, reason }: ChangeOutcome, single: string, retry: Retry): boolean {
    const title = titleOf(kind, done.length, single)
    if (refused.length > 0) notifyRefused(kind, { done, refused, reason }, retry)
    else if (done.length > 0 && title) notify({ kind: 'success', title })
    return refused.length === 0
  }

  function notifyRefused(kind: Kind, { done, refused, reason }: ChangeOutcome, retry: Retry) {
    const many = t(`outcome.${kind}`, { count: done.length })
    const title = done.length > 0 ? t('outcome.partly', { done: many, count: refused.length }) : reason
    const again = { label: t('retry'), run: () => retry(refused) }
    const text = done.length > 0 ? reason : nameOf(refused)
    notify({ kind: 'error', title, action: again, ...(text && { text }) })
  }

  /**
   * Undo is offered at once, while the request is still running. It shows at once, and is sent when that request has
   * been answered. Returns whether nothing was refused.
   */
  async function offerUndo(
    kind: Kind,
    list: List,
    running: Promise<ChangeOutcome>,
    single: string,
    steps: UndoSteps,
  ): Promise<boolean> {
    let isUndone = false
    const offer = (batch: List) => {
      const run = async () => {
        isUndone = true
        const { isWanted, release } = showUndone(batch, steps.back)
        const { done } = await running
        steps.undo(done.filter(isWanted))
        release()
      }
      return offerUndoTogether(kind, { list: batch, run }, (count) => titleOf(kind, count, single), t('undo'))
    }
    // Removing a conversation again ends an earlier undo.
    for (const conversation of list) setReturning(client, conversation, undefined)
    const withdraw = list.length > 0 ? offer(list) : undefined
    const outcome = await running
    // Refused conversations are unchanged, which is what undoing wants.
    if (isUndone || outcome.refused.length === 0) return outcome.refused.length === 0
    withdraw?.()
    notifyRefused(kind, outcome, steps.retry)
    if (outcome.done.length > 0) offer(outcome.done)
    return false
  }

  return { notifyOutcome, offerUndo }
}

interface Offer {
  list: List
  run: () => unknown
}

const offers = new Map<Kind, readonly Offer[]>()

/**
 * Offers undo for all recent changes of a kind together: one notice for six conversations, not six. Returns a function
 * that withdraws this offer.
 */
function offerUndoTogether(kind: Kind, offer: Offer, titleOf: (count: number) => string, label: string): () => void {
  const key = `undo ${kind}`
  const show = (all: readonly Offer[]) => {
    offers.set(kind, all)
    if (all.length === 0) return dismissKey(key)
    const run = () => all.forEach(({ run }) => void run())
    const count = all.reduce((sum, { list }) => sum + list.length, 0)
    notify({ kind: 'success', key, title: titleOf(count), action: { label, run, keys: keysOf('undo') } })
  }
  const isShown = () => readNotices().some((notice) => notice.key === key)
  show([...(isShown() ? (offers.get(kind) ?? []) : []), offer])
  return () => isShown() && show((offers.get(kind) ?? []).filter((other) => other !== offer))
}

function nameOf([first]: List): string {
  return first ? displayName(first.customer) : ''
}
