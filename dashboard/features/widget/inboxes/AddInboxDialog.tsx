import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { InboxDialog } from './InboxDialog.tsx'
import { createInbox, type InboxText } from './queries.ts'

const EMPTY: InboxText = { name: '', description: '', sender_name: '', mail_signature: '', rating_mail_hours: null }

/** Creates an inbox and opens it. */
export function AddInboxDialog({ open, close }: { open: boolean; close: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const save = async (typed: InboxText) => {
    const inbox = await createInbox(client, typed)
    close()
    navigate(`/inboxes/${inbox.id}`)
  }
  return <InboxDialog title={t('inboxes.create')} start={EMPTY} save={save} open={open} close={close} />
}
