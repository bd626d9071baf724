import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { showError } from '../../../../platform/http/errors.ts'
import { notify } from '../../../../ui/notices.ts'
import { undoLatestMove } from './queries.ts'

/** Undoes the latest merge or split of a conversation, and opens the one that has its messages back. */
export function useUndoMove(conversation_id: string) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    try {
      const id = await undoLatestMove(client, conversation_id)
      if (id) void navigate(`/conversations/all/${id}`)
      notify({ kind: 'success', title: t('merging.undone') })
    } catch (error) {
      showError(t('merging.not_undone'), error)
    }
  }
}
