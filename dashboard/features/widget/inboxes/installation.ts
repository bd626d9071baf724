import { queryOptions } from '@tanstack/react-query'
import { inboxes } from '#contract/widget/inboxes.ts'
import { call } from '../../../platform/http/api.ts'

export function installationKey(inbox_id: string) {
  return ['installation', inbox_id]
}

/** The page on which the inbox's widget was last opened. */
export function installationQuery(inbox_id: string) {
  return queryOptions({
    queryKey: installationKey(inbox_id),
    queryFn: async ({ signal }) => (await call(inboxes.installation, { params: { id: inbox_id }, signal })).data,
    refetchOnMount: 'always',
  })
}
