import { type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  type ForwardingAddress,
  type ForwardingAddressDraft,
  forwardingAddresses,
} from '#contract/mail/forwarding-addresses.ts'
import { call } from '../../../platform/http/api.ts'
import { ApiError } from '../../../platform/http/request.ts'

const KEY = ['forwarding-addresses'] as const
/** Polls while a test mail is expected. */
const WATCHED_MS = 5_000

/** The addresses of the account or of one inbox, and whether the installation can receive and send email. */
export function forwardingQuery(inbox_id: string | undefined) {
  return queryOptions({
    queryKey: [...KEY, inbox_id ?? 'all'],
    queryFn: ({ signal }) => call(forwardingAddresses.list, { query: { inbox_id }, signal }),
    refetchOnMount: 'always',
    refetchInterval: ({ state }) =>
      state.data?.data.some((address) => address.state === 'pending') ? WATCHED_MS : false,
  })
}

/** Adds an address, or changes the one with this id. */
export async function saveForwarding(client: QueryClient, id: string | undefined, draft: ForwardingAddressDraft) {
  const body = { forwarding_address: draft }
  if (id) await call(forwardingAddresses.update, { params: { id }, body })
  else await call(forwardingAddresses.create, { body })
  await client.invalidateQueries({ queryKey: KEY })
}

export async function deleteForwarding(client: QueryClient, id: string): Promise<void> {
  await call(forwardingAddresses.remove, { params: { id } }).catch((error) => {
    // It was already deleted elsewhere.
    if (!(error instanceof ApiError && error.status === 404)) throw error
  })
  await client.invalidateQueries({ queryKey: KEY })
}

export async function testForwarding({ id }: ForwardingAddress): Promise<void> {
  await call(forwardingAddresses.test, { params: { id } })
}
