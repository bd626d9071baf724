import { t } from 'i18next'
import { type Message, messages } from '#contract/conversations/messages.ts'
import { call } from '../../../../platform/http/api.ts'
import { showError } from '../../../../platform/http/errors.ts'
import { notify } from '../../../../ui/notices.ts'
import { type Draft, returnToDraft } from '../drafts/drafts.ts'

/** Slightly less than the time the server waits before it sends an email. */
const SECONDS = 4

/** Offers to undo a reply before its email is sent. Undoing moves it back into the composer. */
export function offerUndo({ id, conversation_id }: Message, written: Draft): void {
  const undo = async () => {
    await call(messages.remove, { params: { id }, query: { keep_files: 'true' } })
    returnToDraft(conversation_id, written)
  }
  notify({
    kind: 'info',
    title: t('composer.mail.leaves'),
    seconds: SECONDS,
    key: `mail ${conversation_id}`,
    action: {
      label: t('undo'),
      run: () => void undo().catch((error) => showError(t('composer.mail.not_undone'), error)),
    },
  })
}
