import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { type CustomerNote, customerNotes } from '#contract/customers/customer-notes.ts'
import { call } from '../../../platform/http/api.ts'
import { applyCustomerEvent } from '../customers/queries.ts'
import { noteKeys } from './keys.ts'

/** All notes on customers, newest first, in pages. */
export const notesQuery = infiniteQueryOptions({
  queryKey: noteKeys.all,
  queryFn: ({ pageParam, signal }) => call(customerNotes.list, { query: { after: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next ?? undefined,
  refetchOnMount: 'always',
})

export async function writeNote(client: QueryClient, customer_id: string, body: string): Promise<void> {
  const { data } = await call(customerNotes.create, { body: { note: { customer_id, body } } })
  applyCustomerEvent(client, { event: 'note:created', payload: data })
}

export async function deleteNote(client: QueryClient, { id, customer_id }: CustomerNote): Promise<void> {
  await call(customerNotes.remove, { params: { id } })
  applyCustomerEvent(client, { event: 'note:deleted', payload: { id, customer_id } })
}
