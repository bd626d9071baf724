import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { useTeam } from '../../../accounts/accounts/account.ts'
import { userSettingsQuery } from '../../../accounts/accounts/user-settings.ts'
import { mentionedIn } from '../composer/mentions.ts'
import { useSendTyping } from '../composer/useSendTyping.ts'
import { useUploads } from '../files/attaching.ts'
import { planWithUndo, type SendPlan } from '../scheduled/plan.ts'
import { sendDraft } from '../sending/sending.ts'
import { type Draft, hasContent, onDraftsInAnyTab, readDraft, writeDraft } from './drafts.ts'
import { saveDraftNow, useDraftSync } from './useDraftSync.ts'

/** The draft of a conversation: editing it, sending it once its files are uploaded, and typing events. */
export function useDraft({ id: conversation_id, source }: Pick<Conversation, 'id' | 'source'>, newest_number: number) {
  const { me, account } = useTeam()
  useDraftSync(conversation_id)
  const isMail = source === 'email'
  const { data: settings } = useQuery(userSettingsQuery)
  const draft = useSyncExternalStore(onDraftsInAnyTab, () => readDraft(conversation_id))
  const uploads = useUploads(conversation_id)
  const sendTyping = useSendTyping(conversation_id, me.id)
  const isUploading = uploads.some((upload) => upload.state === 'uploading')
  const isSendable = !isUploading && hasContent(draft)
  const write = (changes: Partial<Draft>) => {
    writeDraft(conversation_id, { ...readDraft(conversation_id), ...changes })
    sendTyping(draft.type === 'reply' && !!changes.body?.trim())
  }
  return {
    draft,
    uploads,
    isSendable,
    write,
    mention(body: string, user_id: number | undefined) {
      const mentionedIds = readDraft(conversation_id).mentioned_user_ids ?? []
      write({ body, ...(user_id !== undefined && { mentioned_user_ids: [...new Set([...mentionedIds, user_id])] }) })
    },
    /** Sends it, at once or as planned. `send_anyway`: the user knows that the customer may have asked for no more messages. */
    send(plan: SendPlan | undefined, send_anyway: boolean) {
      if (!isSendable) return
      // Read again, because more may have been typed during the wait.
      const written = readDraft(conversation_id)
      // A second press while the first was waiting.
      if (!hasContent(written)) return
      const mentions = mentionedIn(written.body, account.users, me.id, written.mentioned_user_ids ?? [])
      sendDraft(conversation_id, written, {
        user_id: me.id,
        newest_number,
        mentions,
        isMail,
        send_anyway,
        plan: planWithUndo(plan, { undo_seconds: settings?.undo_seconds ?? null, isMail }),
      })
      sendTyping(false)
    },
    flush() {
      sendTyping(false)
      saveDraftNow(conversation_id)
    },
  }
}
