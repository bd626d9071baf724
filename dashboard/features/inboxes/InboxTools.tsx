import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Inbox } from '#contract/inboxes.ts'
import { errorText, logError } from '../../errors.ts'
import { AskFirst } from '../../ui/AskFirst.tsx'
import { InboxDialog } from './InboxDialog.tsx'
import { deleteInbox, type InboxText, updateInbox } from './inboxes.ts'

interface ToolsProps {
  inbox: Inbox
  /** Told why the inbox was not deleted, and nothing when it is tried again. */
  refused: (sentence: string | undefined) => void
}

/** What admins do with an inbox: change its name and description, delete it. */
export function InboxTools({ inbox, refused }: ToolsProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [editing, setEditing] = useState({ open: false, turn: 0 })
  const close = () => setEditing((current) => ({ ...current, open: false }))
  const save = async (typed: InboxText) => {
    await updateInbox(client, inbox.id, typed)
    close()
  }
  const remove = async () => {
    refused(undefined)
    try {
      await deleteInbox(client, inbox.id)
      navigate('/inboxes', { replace: true })
    } catch (error) {
      logError('Inbox not deleted', error)
      refused(errorText(error))
    }
  }
  return (
    <>
      <Button onClick={() => setEditing(({ turn }) => ({ open: true, turn: turn + 1 }))}>{t('edit')}</Button>
      <AskFirst question={t('inboxes.confirm')} yes={t('yes')} no={t('no')} run={remove}>
        <Button>{t('delete')}</Button>
      </AskFirst>
      <InboxDialog
        key={editing.turn}
        title={t('inboxes.edit')}
        start={{ name: inbox.name, description: inbox.description ?? '' }}
        save={save}
        open={editing.open}
        close={close}
      />
    </>
  )
}
