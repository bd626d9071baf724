import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Conversation } from '#contract/conversations/conversations.ts'
import { displayName } from '#contract/customers/customers.ts'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { Thread } from '../../messages/thread/Thread.tsx'
import { useOpenThread } from '../../messages/thread/useOpenThread.ts'
import { conversationQuery } from '../cache.ts'
import { Answer } from '../status/Answer.tsx'
import { pathOfView } from '../views.ts'
import styles from './ConversationDialog.module.css'

/** Wider than other dialogs: a thread needs longer lines than a form. */
const THREAD_WIDTH = 640

interface DialogProps {
  conversation: Conversation
  open: boolean
  close: () => void
}

/** A conversation in a dialog, to read or answer it without leaving the page. */
export function ConversationDialog({ conversation: initial, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data: conversation = initial } = useQuery(conversationQuery(client, initial.id))
  const { id, status, customer } = conversation
  return (
    <Dialog
      title={t('starting.with', { name: displayName(customer) })}
      open={open}
      close={close}
      size={THREAD_WIDTH}
      footer={
        <Link to={pathOfView({ bucket: status === 'closed' ? 'closed' : 'all' }, id)} onClick={close}>
          {t('starting.in_dashboard')}
        </Link>
      }
    >
      <div className={styles.inside}>
        <DialogContent conversation={conversation} />
      </div>
    </Dialog>
  )
}

function DialogContent({ conversation }: { conversation: Conversation }) {
  const open = useOpenThread(conversation, undefined)
  return (
    <>
      <Thread conversation={conversation} open={open} />
      <Answer conversation={conversation} newest_number={open.newest_number} />
    </>
  )
}
