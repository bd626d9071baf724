import type { QueryClient } from '@tanstack/react-query'
import { t } from 'i18next'
import type { ScheduledMessage } from '#contract/conversations/scheduled-messages.ts'
import { showError } from '../../../../platform/http/errors.ts'
import { notify } from '../../../../ui/notices.ts'
import { keysOf } from '../../actions/registry.ts'
import { cancelScheduled } from './queries.ts'

/** Offers to take a reply back as long as the server has not sent it. */
export function offerUndo(client: QueryClient, scheduled: ScheduledMessage): void {
  const seconds = (Date.parse(scheduled.send_at) - Date.parse(scheduled.created_at)) / 1000
  if (seconds <= 0) return
  const undo = () => cancelScheduled(client, scheduled).catch((error) => showError(t('scheduled.not_undone'), error))
  notify({
    kind: 'info',
    title: t('scheduled.undoable'),
    seconds,
    key: `undo ${scheduled.id}`,
    action: { label: t('undo'), run: () => void undo(), keys: keysOf('undo') },
  })
}

/** Tells its author that a scheduled reply was held back, or that a program wrote one in their name. */
export function tellHeld({ id, conversation_id, held_reason }: ScheduledMessage): void {
  if (!held_reason) return
  const isSuggested = held_reason === 'suggested'
  notify({
    kind: isSuggested ? 'info' : 'error',
    title: t(isSuggested ? 'scheduled.suggested_title' : 'scheduled.held_title'),
    text: t(`scheduled.held.${held_reason}`),
    seconds: 20,
    key: `held ${id}`,
    action: { label: t('scheduled.open'), run: () => openConversation(conversation_id) },
  })
}

/** Notices are outside the router. */
function openConversation(id: string) {
  window.location.assign(`/conversations/all/${id}`)
}
