import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Message } from '#contract/conversations/messages.ts'
import { useSaving } from '../../../../platform/forms/useSaving.ts'
import { Choice } from '../../../../ui/Choice.tsx'
import { FormDialog } from '../../../../ui/FormDialog.tsx'
import { notify } from '../../../../ui/notices.ts'
import { splitConversation } from './queries.ts'
import { useUndoMove } from './useUndoMove.ts'

interface DialogProps {
  message: Message
  open: boolean
  close: () => void
}

/** Asks which messages become a conversation of their own, and opens that. Can be undone. */
export function SplitDialog({ message, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const undo = useUndoMove(message.conversation_id)
  const [range, setRange] = useState<'one' | 'from_here'>('from_here')
  const saving = useSaving(async () => {
    const id = await splitConversation(client, message, range)
    close()
    void navigate(`/conversations/all/${id}`)
    notify({ kind: 'success', title: t('merging.split_done'), action: { label: t('undo'), keys: 'mod+z', run: undo } })
  })
  return (
    <FormDialog
      title={t('merging.split')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('merging.split_run')}
      {...saving}
    >
      <Choice
        legend={t('merging.range')}
        value={range}
        onChange={setRange}
        options={[
          { value: 'from_here', label: t('merging.ranges.from_here') },
          { value: 'one', label: t('merging.ranges.one') },
        ]}
      />
      <p>{t('merging.split_text')}</p>
    </FormDialog>
  )
}
