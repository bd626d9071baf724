import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Message } from '#contract/conversations/messages.ts'
import { useSaving } from '../../../../platform/forms/useSaving.ts'
import { FormDialog } from '../../../../ui/FormDialog.tsx'
import { deleteMessage } from '../thread.ts'

interface DialogProps {
  message: Message
  open: boolean
  close: () => void
}

/** Asks for confirmation before a message is deleted for good. */
export function DeleteMessageDialog({ message, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const deleting = useSaving(async () => {
    const thread = document.querySelector<HTMLElement>('[role=log]')
    await deleteMessage(client, message)
    // The button that would get the focus back is deleted with the message.
    requestAnimationFrame(() => thread?.focus())
  })
  return (
    <FormDialog
      title={t('thread.delete_question')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('delete')}
      danger
      {...deleting}
    >
      <p>{t(message.private ? 'thread.delete_note' : 'thread.delete_public')}</p>
    </FormDialog>
  )
}
