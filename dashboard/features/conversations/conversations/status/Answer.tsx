import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { userName } from '#contract/accounts/users.ts'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { useTeam } from '../../../accounts/accounts/account.ts'
import { Composer } from '../../messages/composer/Composer.tsx'
import type { Ending } from '../../messages/composer/EndedLine.tsx'
import { useHasDraft } from '../../messages/drafts/useHasDraft.ts'
import { useConversationActions } from '../conversation-actions.ts'
import { ClosedCard, isClosedOrDeleted, isDeleted } from './ClosedCard.tsx'

interface AnswerProps {
  conversation: Conversation
  newest_number: number
}

/**
 * The composer. If a colleague closes the conversation while somebody is writing, it stays: without it, further keys
 * would run shortcuts.
 */
export function Answer({ conversation, newest_number }: AnswerProps) {
  const [isWriting, setWriting] = useState(false)
  const hasDraft = useHasDraft(conversation.id)
  const ending = useEnding(conversation)
  if (ending && !isWriting && !hasDraft) return <ClosedCard conversation={conversation} />
  return <Composer conversation={conversation} newest_number={newest_number} ending={ending} onWriting={setWriting} />
}

/** Who closed or deleted the conversation, and how to reopen it. */
function useEnding(conversation: Conversation): Ending | undefined {
  const { t } = useTranslation()
  const { account } = useTeam()
  const { reopen, restore } = useConversationActions()
  if (!isClosedOrDeleted(conversation)) return undefined
  if (isDeleted(conversation)) {
    return {
      text: t('composer.deleted'),
      label: t('composer.restore'),
      sendLabel: t('composer.restore_and_send'),
      reopen: () => restore([conversation]),
    }
  }
  const closer = account.users.find(({ id }) => id === conversation.closed_by_id)
  return {
    text: closer ? t('composer.closed_by', { name: userName(closer) }) : t('composer.closed'),
    label: t('composer.reopen'),
    sendLabel: t('composer.reopen_and_send'),
    reopen: () => reopen([conversation]),
  }
}
