import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ForwardingAddress } from '#contract/mail/forwarding-addresses.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { Check } from '../../../ui/Check.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { saveForwarding } from './queries.ts'

interface DialogProps {
  /** The address to edit; without it a new one is added. */
  address?: ForwardingAddress
  /** The inbox of a new address. */
  inbox_id?: string | undefined
  open: boolean
  close: () => void
}

/** Asks for the address that customers write to. */
export function ForwardingDialog({ address, inbox_id, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [source, setSource] = useState(address?.source_email_address ?? '')
  const [description, setDescription] = useState(address?.description ?? '')
  const [takesLists, setTakesLists] = useState(address?.takes_lists ?? false)
  const [takesForms, setTakesForms] = useState(address?.takes_forms ?? false)
  const saving = useSaving(async () => {
    const draft = {
      source_email_address: source,
      description,
      takes_lists: takesLists,
      takes_forms: takesForms,
      ...(inbox_id && { inbox_id }),
    }
    await saveForwarding(client, address?.id, draft)
    close()
  })
  return (
    <FormDialog
      title={t(address ? 'forwarding.edit' : 'forwarding.create')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('save')}
      {...saving}
    >
      <TextField
        type="email"
        label={t('forwarding.source_label')}
        hint={t('forwarding.source_hint')}
        placeholder="support@example.com"
        autoFocus
        value={source}
        onChange={setSource}
      />
      <TextField
        label={t('forwarding.description')}
        maxLength={255}
        dir="auto"
        value={description}
        onChange={setDescription}
      />
      <Check label={t('forwarding.lists')} checked={takesLists} onChange={setTakesLists} />
      <Check label={t('forwarding.forms')} checked={takesForms} onChange={setTakesForms} />
    </FormDialog>
  )
}
