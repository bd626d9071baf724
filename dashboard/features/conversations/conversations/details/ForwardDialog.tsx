import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../../../platform/forms/useSaving.ts'
import { newId } from '../../../../platform/new-id.ts'
import { FormDialog } from '../../../../ui/FormDialog.tsx'
import { notify } from '../../../../ui/notices.ts'
import { TextArea } from '../../../../ui/TextArea.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { forwardConversation } from './queries.ts'

interface DialogProps {
  conversation_id: string
  open: boolean
  close: () => void
}

/** The idempotency key is created with the form, so that a retry after a lost response sends no second email. */
const blank = () => ({ key: newId(), to: '', note: '' })

/** The recipient and an introductory note. */
export function ForwardDialog({ conversation_id, open, close }: DialogProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(blank)
  const saving = useSaving(async () => {
    await forwardConversation(conversation_id, draft)
    notify({ kind: 'success', title: t('conversation.forwarded', { to: draft.to.trim() }) })
    setDraft(blank())
    close()
  })
  return (
    <FormDialog
      title={t('conversation.forward')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('conversation.forward_send')}
      {...saving}
    >
      <TextField
        autoFocus
        type="email"
        label={t('conversation.forward_to')}
        hint={t('conversation.forward_hint')}
        value={draft.to}
        onChange={(to) => setDraft({ ...draft, to })}
      />
      <TextArea
        rows={3}
        label={t('conversation.forward_note')}
        value={draft.note}
        onChange={(note) => setDraft({ ...draft, note })}
      />
    </FormDialog>
  )
}
