import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { CustomerProfile } from '#contract/customer-profiles.ts'
import { tags } from '#contract/tags.ts'
import { call } from '../../platform/http/api.ts'
import { createTag } from '../tags/queries.ts'
import { TagEditor } from '../tags/TagEditor.tsx'
import type { TagPlan } from '../tags/tag-plan.ts'
import { customerQuery } from './queries.ts'

/** The tags of a customer, to look at and to change. */
export function CustomerTags({ customer: { id, tags: carried = [] } }: { customer: CustomerProfile }) {
  const { t } = useTranslation()
  const client = useQueryClient()

  async function save({ create, add, remove }: TagPlan) {
    const created: string[] = []
    for (const draft of create) created.push((await createTag(client, draft)).id)
    for (const tag_id of [...add, ...created]) await call(tags.addToCustomer, { params: { id }, body: { tag_id } })
    for (const tag_id of remove) await call(tags.removeFromCustomer, { params: { id, tag_id } })
    await client.invalidateQueries({ queryKey: customerQuery(id).queryKey })
  }
  return (
    <TagEditor key={id} label={t('customer.tags')} editLabel={t('customer.edit_tags')} tags={carried} save={save} />
  )
}
