import { queryOptions } from '@tanstack/react-query'
import { assignments } from '#contract/conversations/assignments.ts'
import { call } from '../../../platform/http/api.ts'
import { assignmentsKey } from './keys.ts'

/** To whom a conversation was given and why, newest first. */
export function assignmentsQuery(conversation_id: string) {
  return queryOptions({
    queryKey: assignmentsKey(conversation_id),
    queryFn: async ({ signal }) => (await call(assignments.list, { params: { id: conversation_id }, signal })).data,
  })
}
