import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { Inbox } from '#contract/widget/inboxes.ts'
import { inboxesQuery } from './queries.ts'

/** The inbox of an integration page: the one in its address, otherwise the primary one. */
export function useInboxOfPage(): Inbox | undefined {
  const { inbox_id } = useParams()
  const { data: inboxes } = useQuery(inboxesQuery)
  return inboxes?.find(({ id, is_primary }) => (inbox_id ? id === inbox_id : is_primary))
}
