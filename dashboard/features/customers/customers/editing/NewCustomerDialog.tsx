import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../../../platform/forms/useSaving.ts'
import { FormDialog } from '../../../../ui/FormDialog.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { createCustomer } from '../customer-list.ts'

const EMPTY = { email: '', name: '', phone: '' }

/** Adds a customer. The server validates the fields. */
export function NewCustomerDialog({ open, close }: { open: boolean; close: () => void }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [draft, setDraft] = useState(EMPTY)
  const saving = useSaving(async () => {
    await createCustomer(client, draft)
    setDraft(EMPTY)
    close()
  })
  const [isEmpty, setEmpty] = useState(false)
  // An entirely empty customer is not submitted.
  async function submit(event: FormEvent) {
    event.preventDefault()
    const isFilled = Object.values(draft).some((text) => text.trim() !== '')
    setEmpty(!isFilled)
    if (isFilled) await saving.submit(event)
  }
  const field = (name: keyof typeof EMPTY, type: 'text' | 'email' | 'tel', label: string) => (
    <TextField
      label={label}
      type={type}
      dir="auto"
      autoFocus={name === 'email'}
      value={draft[name]}
      onChange={(value) => setDraft({ ...draft, [name]: value })}
    />
  )
  return (
    <FormDialog
      title={t('customers.new')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('save')}
      saving={saving.saving}
      error={isEmpty ? t('customers.new_empty') : saving.error}
      submit={submit}
      guard={saving.guard}
    >
      {field('email', 'email', t('customer.email'))}
      {field('name', 'text', t('customer.name'))}
      {field('phone', 'tel', t('customers.phone_optional'))}
    </FormDialog>
  )
}
