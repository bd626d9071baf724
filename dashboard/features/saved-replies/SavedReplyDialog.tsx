import { useQueryClient } from '@tanstack/react-query'
import { Input } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SavedReply } from '#contract/saved-replies.ts'
import { useSaving } from '../../platform/forms/useSaving.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { saveReply } from './queries.ts'
import { VariableTools } from './VariableTools.tsx'

const EMPTY = { name: '', content: '' }

interface DialogProps {
  /** The one to change; without it a new one is made. */
  reply?: SavedReply
  open: boolean
  close: () => void
}

/** Writes a new saved reply, or changes one. A new one that is not saved yet is still there when opened again. */
export function SavedReplyDialog({ reply, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const form = useId()
  const [draft, setDraft] = useState(reply ? { name: reply.name, content: reply.content } : EMPTY)
  const saving = useSaving(async () => {
    await saveReply(client, reply?.id, draft)
    if (!reply) setDraft(EMPTY)
    close()
  })
  const insert = (text: string) => {
    const box = document.getElementById(`${form}-content`)
    if (!(box instanceof HTMLTextAreaElement)) return
    box.focus()
    box.setRangeText(text, box.selectionStart, box.selectionEnd, 'end')
    setDraft({ ...draft, content: box.value })
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
      <label htmlFor={`${form}-name`}>{t('saved_replies.name')}</label>
      <Input
        id={`${form}-name`}
        autoFocus
        prefix="/"
        value={draft.name}
        onChange={(event) => setDraft({ ...draft, name: event.target.value })}
      />
      <label htmlFor={`${form}-content`}>{t('saved_replies.content')}</label>
      <Input.TextArea
        id={`${form}-content`}
        dir="auto"
        autoSize={{ minRows: 4, maxRows: 12 }}
        value={draft.content}
        onChange={(event) => setDraft({ ...draft, content: event.target.value })}
      />
      <VariableTools content={draft.content} insert={insert} />
    </FormDialog>
  )
}
