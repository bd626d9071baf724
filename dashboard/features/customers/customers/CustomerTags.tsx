import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { CustomerProfile } from '#contract/customers/customer-profiles.ts'
import { TagEditor } from '../tags/TagEditor.tsx'
import { tagCustomer } from './queries.ts'

/** Shows and edits the tags of a customer. */
export function CustomerTags({ customer: { id, tags = [] } }: { customer: CustomerProfile }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  return (
    <TagEditor
      key={id}
      label={t('customer.tags')}
      editLabel={t('customer.edit_tags')}
      tags={tags}
      save={(plan) => tagCustomer(client, id, plan)}
    />
  )
}
