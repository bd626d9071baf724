import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import { displayName } from '#contract/customers/customers.ts'
import { useSaving } from '../../../../platform/forms/useSaving.ts'
import { FormDialog } from '../../../../ui/FormDialog.tsx'
import { notify } from '../../../../ui/notices.ts'
import { mergeCustomer } from '../customer-list.ts'
import { CustomerChooser } from './CustomerChooser.tsx'
import { useUnmerge } from './useUnmerge.ts'

interface DialogProps {
  customer: CustomerProfile
  open: boolean
  close: () => void
}

/** Merges a duplicate into this customer. Can be undone. */
export function MergeDialog({ customer, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const unmerge = useUnmerge(customer.id)
  const [duplicate_id, setDuplicate] = useState<string | null>(null)
  const saving = useSaving(async () => {
    if (!duplicate_id) throw new Error(t('customers.merge.choose_first'))
    await mergeCustomer(client, customer.id, duplicate_id)
    setDuplicate(null)
    close()
    notify({ kind: 'success', title: t('customers.merge.done'), action: { label: t('undo'), run: unmerge } })
  })
  return (
    <FormDialog
      title={t('customers.merge.open')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('customers.merge.run')}
      {...saving}
    >
      <CustomerChooser
        label={t('customers.merge.choose')}
        without={[customer.id]}
        value={duplicate_id}
        onChange={setDuplicate}
        wanted={open}
      />
      <p>{t('customers.merge.text', { name: displayName(customer) })}</p>
    </FormDialog>
  )
}
