import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Conversation, type ConversationRow, conversations } from '#contract/conversations.ts'
import { call } from '../../api.ts'
import { showError } from '../../errors.ts'
import { notify } from '../../ui/notices.ts'
import { useTeam } from '../accounts/account.ts'
import { findConversation, hearConversation, replaceConversation } from './cache.ts'
import { setClosing } from './closing.ts'

/** Long enough to see which one leaves. */
const CLOSING_MS = 400

type Changes = Partial<Pick<ConversationRow, 'status' | 'priority' | 'assignee_id' | 'archived_at'>>

/** What can be done with a conversation. Each shows at once and is taken back when the server refuses. */
export function useConversationActions() {
  const client = useQueryClient()
  const { t } = useTranslation()
  const { me } = useTeam()
  return useMemo(() => {
    const change = (id: string, changes: Changes) => changeConversation(client, id, changes, me.id)
    return {
      assign: (id: string, assignee_id: number | null) => change(id, { assignee_id }),
      setPriority: (id: string, priority: ConversationRow['priority']) => change(id, { priority }),

      async close(id: string) {
        setClosing(id, true)
        await new Promise((resolve) => setTimeout(resolve, CLOSING_MS))
        setClosing(id, false)
        return change(id, { status: 'closed' })
      },

      async reopen(conversation: Conversation) {
        if (conversation.status === 'open') return
        if (await change(conversation.id, { status: 'open' })) {
          notify({ kind: 'success', title: t('conversation.reopened') })
        }
      },

      async archive(id: string) {
        const archived = await archiveConversation(client, id, me.id)
        if (!archived) return
        const undo = () => change(id, { archived_at: null })
        notify({
          kind: 'success',
          title: t('conversation.deleted'),
          action: { label: t('undo'), run: undo },
        })
      },
    }
  }, [client, me.id, t])
}

async function changeConversation(
  client: QueryClient,
  id: string,
  changes: Changes,
  user_id: number,
): Promise<boolean> {
  const before = findConversation(client, id)
  const shown = before && { ...before, ...changes }
  if (shown) replaceConversation(client, before, shown, user_id)
  try {
    const { data } = await call(conversations.update, { params: { id }, body: { conversation: changes } })
    hearConversation(client, { event: 'conversation:updated', payload: { id, updates: data } }, user_id)
    return true
  } catch (error) {
    takeBack(client, before, changes, user_id)
    showError('Conversation not changed', error)
    return false
  }
}

async function archiveConversation(client: QueryClient, id: string, user_id: number): Promise<boolean> {
  const before = findConversation(client, id)
  const changes = { archived_at: new Date().toISOString() }
  if (before) replaceConversation(client, before, { ...before, ...changes }, user_id)
  try {
    const { data } = await call(conversations.archive, { params: { id } })
    hearConversation(client, { event: 'conversation:updated', payload: { id, updates: data } }, user_id)
    return true
  } catch (error) {
    takeBack(client, before, changes, user_id)
    showError('Conversation not deleted', error)
    return false
  }
}

/** Restores only what this change touched, and only when nothing newer was heard meanwhile. */
function takeBack(client: QueryClient, before: Conversation | undefined, changes: Changes, user_id: number) {
  const current = before && findConversation(client, before.id)
  if (!current || current.version !== before.version) return
  const restored = Object.fromEntries(Object.keys(changes).map((field) => [field, before[field as keyof Changes]]))
  replaceConversation(client, current, { ...current, ...restored }, user_id)
}
