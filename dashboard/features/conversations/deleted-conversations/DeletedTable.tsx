import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { userName } from '#contract/accounts/users.ts'
import type { DeletedConversation } from '#contract/conversations/deleted-conversations.ts'
import { displayName } from '#contract/customers/customers.ts'
import { previewOf } from '#contract/text/plain.ts'
import { showError } from '../../../platform/http/errors.ts'
import { messageTime } from '../../../platform/times.ts'
import { Button } from '../../../ui/Button.tsx'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Each } from '../../../ui/Each.tsx'
import { notify } from '../../../ui/notices.ts'
import { Table } from '../../../ui/Table.tsx'
import { Truncate } from '../../../ui/Truncate.tsx'
import { CustomerAvatar } from '../../customers/customers/CustomerAvatar.tsx'
import { useConversationActions } from '../conversations/conversation-actions.ts'
import { conversationKeys } from '../conversations/keys.ts'
import { pathOfView } from '../conversations/views.ts'
import styles from './DeletedTable.module.css'
import { destroyConversation } from './queries.ts'

interface TableProps {
  conversations: readonly DeletedConversation[]
  /** Opens a conversation for reading. */
  read: (conversation: DeletedConversation) => void
}

/** Deleted conversations: whose they are, who deleted them and when, and what can be done. */
export function DeletedTable({ conversations, read }: TableProps) {
  const { t } = useTranslation()
  const columns = [
    t('deleted_conversations.customer'),
    t('deleted_conversations.conversation'),
    t('deleted_conversations.deleted'),
    t('deleted_conversations.actions'),
  ] as const
  return (
    <Table label={t('deleted_conversations.title')} columns={columns}>
      <Each name="conversation" items={conversations} keyOf={(conversation) => conversation.id}>
        {(conversation) => <DeletedRow conversation={conversation} read={read} />}
      </Each>
    </Table>
  )
}

interface RowProps {
  conversation: DeletedConversation
  read: TableProps['read']
}

function DeletedRow({ conversation, read }: RowProps) {
  const { t } = useTranslation()
  const { customer, subject, messages, archived_at, deleted_by } = conversation
  const name = displayName(customer)
  const last = messages.at(-1)
  const text = (last && previewOf(last)) || t('conversations_of.no_words')
  return (
    <tr>
      <td>
        <div className={styles.who}>
          <CustomerAvatar customer={customer} />
          <button type="button" className={styles.open} onClick={() => read(conversation)}>
            <Truncate text={name} />
          </button>
        </div>
      </td>
      <td className={styles.preview}>
        <Truncate text={subject ? `${subject} – ${text}` : text} lines={2} />
      </td>
      <td>
        {archived_at && messageTime(archived_at)}
        {deleted_by && <div className={styles.by}>{t('deleted_conversations.by', { name: userName(deleted_by) })}</div>}
      </td>
      <td>
        <div className={styles.actions}>
          <RowActions conversation={conversation} name={name} />
        </div>
      </td>
    </tr>
  )
}

function RowActions({ conversation, name }: { conversation: DeletedConversation; name: string }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { restore } = useConversationActions()
  const refetch = () => client.invalidateQueries({ queryKey: conversationKeys.lists })

  async function putBack() {
    if (!(await restore([conversation]))) return
    const view = { bucket: conversation.status === 'closed' ? 'closed' : 'all' } as const
    const open = () => void navigate(pathOfView(view, conversation.id))
    const action = { label: t('deleted_conversations.open'), run: open }
    notify({ kind: 'success', title: t('deleted_conversations.restored'), text: name, action })
    await refetch()
  }

  async function destroy() {
    try {
      await destroyConversation(conversation.id)
      notify({ kind: 'success', title: t('deleted_conversations.destroyed'), text: name })
    } catch (error) {
      showError('Conversation not destroyed', error)
    }
    await refetch()
  }

  return (
    <>
      <Button size="small" onClick={putBack}>
        {t('deleted_conversations.restore')}
        <span className="unseen"> {name}</span>
      </Button>
      <Confirm question={t('deleted_conversations.destroy_confirm')} yes={t('yes')} no={t('no')} run={destroy}>
        <Button size="small" variant="text" danger>
          {t('deleted_conversations.destroy')}
          <span className="unseen"> {name}</span>
        </Button>
      </Confirm>
    </>
  )
}
