import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Issue } from '#contract/customers/issues.ts'
import { useSaving } from '../../../platform/forms/useSaving.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { CustomerChooser } from '../customers/merging/CustomerChooser.tsx'
import { linkCustomer } from './queries.ts'

interface DialogProps {
  issue: Issue
  open: boolean
  close: () => void
}

/** Links a customer to an issue. Linking one twice changes nothing. */
export function LinkCustomerDialog({ issue, open, close }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [customer_id, setCustomer] = useState<string | null>(null)
  const saving = useSaving(async () => {
    if (!customer_id) throw new Error(t('issues.choose_customer_first'))
    await linkCustomer(client, issue, customer_id)
    setCustomer(null)
    close()
  })
  return (
    <FormDialog
      title={t('issues.link_customer')}
      open={open}
      close={close}
      cancelLabel={t('cancel')}
      saveLabel={t('issues.link_existing')}
      {...saving}
    >
      <CustomerChooser
        label={t('issues.choose_customer')}
        without={[]}
        value={customer_id}
        onChange={setCustomer}
        wanted={open}
      />
    </FormDialog>
  )
}
