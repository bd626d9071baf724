import { t } from 'i18next'
import { type Message, messages } from '#contract/messages.ts'
import { call } from '../../../platform/http/api.ts'
import { showError } from '../../../platform/http/errors.ts'
import { notify } from '../../../ui/notices.ts'
import { type Draft, returnToDraft } from '../drafts/drafts.ts'

/** A little less than the server waits before a mail leaves. */
const SECONDS = 4

/** Offers to take an answer back before its mail leaves. Its words stand in the composer again. */
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
