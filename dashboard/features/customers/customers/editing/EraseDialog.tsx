import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import { displayName } from '#contract/customers/customers.ts'
import { looksLike } from '../../../../platform/forms/typed-name.ts'
import { useSaving } from '../../../../platform/forms/useSaving.ts'
import { FormDialog } from '../../../../ui/FormDialog.tsx'
import { notify } from '../../../../ui/notices.ts'
import { TextField } from '../../../../ui/TextField.tsx'
import { eraseCustomer } from '../queries.ts'

interface DialogProps {
  customer: CustomerProfile
  open: boolean
  close: () => void
  onDeleted: () => void
}

/** Erases all data of a customer, after the name was typed as confirmation. */
export function EraseDialog({ customer, open, close, onDeleted }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const name = displayName(customer)
  const [typed, setTyped] = useState('')
  const saving = useSaving(async () => {
    if (!looksLike(typed, name)) throw new Error(t('customers.erase.wrong'))
    await eraseCustomer(client, customer.id, onDeleted)
    close()
    notify({ kind: 'success', title: t('customer.deleted', { title: customer.title }), seconds: 10 })
  })
  return (
    <FormDialog
      title={t('customers.erase.open')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('customers.erase.run')}
      danger
      {...saving}
    >
      <p>{t('customers.erase.text')}</p>
      <TextField
        label={t('customers.erase.type', { name })}
        autoFocus
        autoComplete="off"
        value={typed}
        onChange={setTyped}
      />
    </FormDialog>
  )
}
