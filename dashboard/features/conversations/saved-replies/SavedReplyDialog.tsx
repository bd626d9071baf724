import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SavedReply } from '#contract/conversations/saved-replies.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { insertText } from '../../../ui/insert-text.ts'
import { TextArea } from '../../../ui/TextArea.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { saveReply } from './queries.ts'
import { VariableTools } from './VariableTools.tsx'

const EMPTY = { name: '', content: '' }

interface DialogProps {
  /** The reply to edit; without it a new one is created. */
  reply?: SavedReply
  open: boolean
  close: () => void
}

/** Creates or edits a saved reply. */
export function SavedReplyDialog({ reply, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const box = useRef<HTMLTextAreaElement>(null)
  const [draft, setDraft] = useState(reply ? { name: reply.name, content: reply.content } : EMPTY)
  const saving = useSaving(async () => {
    await saveReply(client, reply?.id, draft)
    close()
  })
  const insert = (text: string) => {
    const field = box.current
    if (field) insertText(field, text, field.selectionStart, field.selectionEnd)
  }
  return (
    <FormDialog
      title={t(reply ? 'saved_replies.edit' : 'saved_replies.create')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('save')}
      {...saving}
    >
      <TextField
        label={t('saved_replies.name')}
        autoFocus
        prefix="/"
        value={draft.name}
        onChange={(name) => setDraft({ ...draft, name })}
      />
      <TextArea
        ref={box}
        rows={4}
        label={t('saved_replies.content')}
        value={draft.content}
        onChange={(content) => setDraft({ ...draft, content })}
      />
      <VariableTools content={draft.content} insert={insert} />
    </FormDialog>
  )
}
