import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import { errorText, logError } from '../../../../platform/http/errors.ts'
import { ApiError } from '../../../../platform/http/request.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Dialog } from '../../../../ui/Dialog.tsx'
import { FormError } from '../../../../ui/FormError.tsx'
import { notify } from '../../../../ui/notices.ts'
import { deleteCustomer } from '../queries.ts'

interface DialogProps {
  customer: CustomerProfile
  open: boolean
  close: () => void
  onDeleted: () => void
}

/** Asks for confirmation before a customer is deleted. */
export function DeleteDialog({ customer, open, close, onDeleted }: DialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const [error, setError] = useState<string>()
  async function remove() {
    setDeleting(true)
    setError(undefined)
    try {
      // `onDeleted` runs before the customer leaves the cache, so that the page does not flash as missing.
      await deleteCustomer(client, customer.id, onDeleted)
      close()
      notify({ kind: 'success', title: t('customer.deleted', { title: customer.title }), seconds: 10 })
    } catch (refusal) {
      const failed = t('customer.delete_failed')
      logError(failed, refusal)
      setError(refusal instanceof ApiError && refusal.message ? errorText(refusal) : failed)
    }
    setDeleting(false)
  }
  return (
    <Dialog
      title={t('customers.remove.open')}
      open={open}
      close={close}
      footer={
        <>
          <Button autoFocus onClick={close}>
            {t('no')}
          </Button>
          <Button danger variant="primary" loading={isDeleting} onClick={remove}>
            {t('yes')}
          </Button>
        </>
      }
    >
      <p>{t('customer.confirm')}</p>
      <FormError text={error} />
    </Dialog>
  )
}
