import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Inbox } from '#contract/widget/inboxes.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { errorText } from '../../../platform/http/errors.ts'
import { isTemporary } from '../../../platform/http/request.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Select } from '../../../ui/Select.tsx'
import { deleteInbox, inboxesQuery } from './queries.ts'

interface DialogProps {
  inbox: Inbox
  open: boolean
  close: () => void
  onDeleted: () => void
}

/** Deletes an inbox and moves its conversations to another one. */
export function DeleteInboxDialog({ inbox, open, close, onDeleted }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data: inboxes = [] } = useQuery(inboxesQuery)
  const others = inboxes.filter(({ id }) => id !== inbox.id).sort((a, b) => Number(b.is_primary) - Number(a.is_primary))
  const [picked, setPicked] = useState<string>()
  // The chosen inbox may be deleted elsewhere while the dialog is open.
  const goal = others.find(({ id }) => id === picked) ?? others[0]
  const describe = (refusal: unknown) =>
    isTemporary(refusal) ? `${errorText(refusal)} ${t('inboxes.delete_again')}` : errorText(refusal)
  const deleting = useSaving(async () => {
    await deleteInbox(client, inbox.id, goal?.id)
    onDeleted()
  }, describe)
  return (
    <FormDialog
      title={t('inboxes.confirm')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('delete')}
      danger
      {...deleting}
    >
      <p>{t('inboxes.delete_text', { name: inbox.name })}</p>
      <Select
        label={t('inboxes.move_to')}
        autoFocus
        disabled={deleting.saving}
        value={goal?.id}
        onChange={setPicked}
        options={others.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <p role="status">{deleting.saving && t('inboxes.moving')}</p>
    </FormDialog>
  )
}
