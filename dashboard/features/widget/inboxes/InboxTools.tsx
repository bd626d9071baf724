import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate } from 'react-router'
import type { Inbox } from '#contract/widget/inboxes.ts'
import { useDialog } from '../../../platform/useDialog.ts'
import { Button } from '../../../ui/Button.tsx'
import { LazyMount } from '../../../ui/LazyMount.tsx'
import { DeleteInboxDialog } from './DeleteInboxDialog.tsx'
import { InboxDialog } from './InboxDialog.tsx'
import { type InboxText, textOf, updateInbox } from './queries.ts'

/** Admin actions: edit an inbox, and delete it unless it is the primary one. */
export function InboxTools({ inbox }: { inbox: Inbox }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const editing = useDialog()
  const [isDeleting, setDeleting] = useState(false)
  const [isDeleted, setDeleted] = useState(false)
  const save = async (typed: InboxText) => {
    await updateInbox(client, inbox.id, typed)
    editing.close()
  }
  // Rendered and not called after the deletion, so that somebody who has left the page is not sent back.
  if (isDeleted) return <Navigate to="/inboxes" replace />
  return (
    <>
      <Button onClick={() => editing.open()}>{t('edit')}</Button>
      {!inbox.is_primary && <Button onClick={() => setDeleting(true)}>{t('delete')}</Button>}
      <LazyMount when={isDeleting}>
        <DeleteInboxDialog
          inbox={inbox}
          open={isDeleting}
          close={() => setDeleting(false)}
          onDeleted={() => setDeleted(true)}
        />
      </LazyMount>
      <InboxDialog
        key={editing.turn}
        title={t('inboxes.edit')}
        start={textOf(inbox)}
        save={save}
        open={editing.isOpen}
        close={editing.close}
      />
    </>
  )
}
