import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Customer, displayName } from '#contract/customers/customers.ts'
import { showError } from '../../../../platform/http/errors.ts'
import { notify } from '../../../../ui/notices.ts'
import { mergeCustomer } from '../customer-list.ts'
import { customerQuery } from '../queries.ts'
import { useUnmerge } from './useUnmerge.ts'

/** The customer that this one claims to be without proof, and merging the two. */
export function useClaim({ id, claimed_customer_id }: Customer) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [isMerging, setMerging] = useState(false)
  const { data } = useQuery({ ...customerQuery(claimed_customer_id ?? ''), enabled: claimed_customer_id !== null })
  // The claimed customer may have been merged into another one meanwhile, even into this one.
  const claimed = claimed_customer_id !== null && data && data.id !== id ? data : undefined
  const unmerge = useUnmerge(claimed?.id ?? '')
  if (!claimed) return undefined
  return {
    id: claimed.id,
    name: displayName(claimed),
    isMerging,
    async merge() {
      setMerging(true)
      try {
        await mergeCustomer(client, claimed.id, id)
        notify({ kind: 'success', title: t('customers.merge.done'), action: { label: t('undo'), run: unmerge } })
      } catch (error) {
        showError('Customers not merged', error)
      }
      setMerging(false)
    },
  }
}
