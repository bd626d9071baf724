import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { showError } from '../../../../platform/http/errors.ts'
import { notify } from '../../../../ui/notices.ts'
import { unmergeCustomer } from '../customer-list.ts'

/** Undoes the latest merge into a customer, and shows the result. */
export function useUnmerge(id: string) {
  const { t } = useTranslation()
  const client = useQueryClient()
  return async () => {
    try {
      await unmergeCustomer(client, id)
      notify({ kind: 'success', title: t('customers.merge.taken_back') })
    } catch (error) {
      showError('Merge not taken back', error)
    }
  }
}
