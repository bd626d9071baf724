import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { useTeam } from '../../features/accounts/accounts/account.ts'
import { type InboxOnScreen, offerInboxCommands } from '../../features/conversations/actions/inbox-on-screen.ts'
import { findConversation, readList } from '../../features/conversations/conversations/cache.ts'
import { readClosing } from '../../features/conversations/conversations/closing.ts'
import {
  type ConversationActions,
  useConversationActions,
} from '../../features/conversations/conversations/conversation-actions.ts'
import { belongs, neighbourOf, pathOfView, type View } from '../../features/conversations/conversations/views.ts'
import { readDraft, writeDraft } from '../../features/conversations/messages/drafts/drafts.ts'
import { foundOnScreen } from '../../features/conversations/search/found-on-screen.ts'
import { extend, type Selection, toggle } from './list/selection.ts'

/** Registers the inbox's commands for shortcuts and palette, and returns those that buttons need. */
export function useInboxCommands(view: View, selection: Selection): InboxOnScreen {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { me } = useTeam()
  const actions = useConversationActions()
  const select = (id: string | undefined) => void navigate(pathOfView(view, id))
  const read = () => {
    // The address and the cached list are newer than the rendered state, which matters for fast key presses.
    const id = /[0-9a-f-]{36}$/.exec(window.location.pathname.slice(pathOfView(view).length))?.[0]
    const current = id === undefined ? undefined : findConversation(client, id)
    // Conversations that are just being closed are not selected next.
    const staying = readList(client, view).filter(
      (conversation) =>
        conversation.id === id || (!readClosing().has(conversation.id) && belongs(view, conversation, me.id)),
    )
    return commandsOf(staying, current, selection, actions, select, stepInHits)
  }
  /** Moves through the search results while they are shown. */
  const stepInHits = (step: 1 | -1) => {
    const hits = foundOnScreen.get()
    const at = hits?.indexOf(window.location.pathname + window.location.search) ?? -1
    const next = hits?.[at === -1 && step === -1 ? hits.length : at + step]
    if (next) void navigate(next)
    return hits !== undefined
  }
  const latest = useRef(read)
  latest.current = read
  useEffect(() => offerInboxCommands(() => latest.current()), [])
  return read()
}

function commandsOf(
  staying: Conversation[],
  current: Conversation | undefined,
  selection: Selection,
  actions: ConversationActions,
  select: (id: string | undefined) => void,
  stepInHits: (step: 1 | -1) => boolean,
): InboxOnScreen {
  const chosen = staying.filter(({ id }) => selection.ids.has(id))
  const targets = chosen.length > 0 ? chosen : current ? [current] : []

  /** Runs work that removes conversations from the list, and opens the next one. */
  function finish(list: readonly Conversation[], work: (list: readonly Conversation[]) => unknown) {
    const leaving = new Set(list.map(({ id }) => id))
    if (current && leaving.has(current.id)) {
      const others = staying.filter(({ id }) => id === current.id || !leaving.has(id))
      select(neighbourOf(others, current.id)?.id)
    }
    if (list === targets) selection.select(false)
    void work(list)
  }

  return {
    targets,
    current,
    isChoosing: selection.isSelecting,
    move(step) {
      if (stepInHits(step)) return
      const at = staying.findIndex(({ id }) => id === current?.id)
      const next = at === -1 && step === -1 ? undefined : staying[at + step]
      if (!next) return
      // Somebody who was writing keeps a focused text field: otherwise the next keys would run shortcuts.
      const wasWriting = document.activeElement?.matches('main textarea')
      select(next.id)
      if (wasWriting) focusSoon('main textarea')
    },
    choose: () => current && selection.change((before) => toggle(before, current.id)),
    extend: (step) =>
      selection.change((before) =>
        extend(
          before,
          staying.map(({ id }) => id),
          current?.id,
          step,
        ),
      ),
    chooseNone: () => selection.select(false),
    close: (list = targets) => finish(list, actions.close),
    archive: (list = targets) => finish(list, actions.archive),
    snooze: (until, list = targets) => finish(list, (batch) => actions.snooze(batch, until)),
    reopen: () => void actions.reopen(targets),
    wake: () => void actions.wake(targets),
    setPriority: (priority) => void actions.setPriority(targets, priority),
    assign: (user_id) => void actions.assign(targets, user_id),
    moveToTeam: (team_id) => void actions.moveToTeam(targets, team_id),
    tag: (tag) => void actions.tag(targets, tag),
    markUnread: () => void actions.markUnread(targets),
    write(type) {
      if (!current) return
      writeDraft(current.id, { ...readDraft(current.id), type, outdated: false })
      focusSoon('main textarea')
    },
    search() {
      selection.select(false)
      focusSoon('main [type="search"]')
    },
  }
}

/** Waits for the render, so that the pressed key is not typed into the field. */
function focusSoon(selector: string) {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus())
}
