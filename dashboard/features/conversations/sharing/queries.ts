import { infiniteQueryOptions } from '@tanstack/react-query'
import { sharing } from '#contract/conversations/sharing.ts'
import { ANONYMOUS, type Customer } from '#contract/customers/customers.ts'
import { nicknameOf } from '#contract/customers/nickname.ts'
import type { Answer } from '#contract/endpoint.ts'
import { ApiError, send } from '../../../platform/http/request.ts'

export type Shared = Answer<typeof sharing.shared>['data']

/**
 * The shared conversation, newest page first. Requested without the reader's own session, because only the link's token
 * counts.
 */
export function sharedQuery(conversation_id: string | undefined, token: string | undefined) {
  return infiniteQueryOptions({
    queryKey: ['shared', conversation_id, token],
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam: before, signal }): Promise<Shared> => {
      if (!token) throw new ApiError(403, 'Access denied!')
      return (await send(sharing.shared, { query: { conversation_id, token, before }, signal })).data
    },
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchOnMount: 'always',
  })
}

/** The customer for message bubbles. Only the name is shared. */
export function customerOf({ customer, created_at, updated_at }: Shared): Customer {
  const unknown = { phone: null, external_id: null, profile_photo_url: null, company_id: null, host: null }
  const nowhere = {
    pathname: null,
    current_url: null,
    browser: null,
    os: null,
    ip: null,
    time_zone: null,
    blocked_at: null,
    complained_at: null,
    claimed_external_id: null,
    claimed_customer_id: null,
  }
  return {
    ...unknown,
    ...nowhere,
    nickname: nicknameOf(customer.id),
    ...customer,
    name: customer.title === ANONYMOUS ? null : customer.title,
    email: null,
    metadata: {},
    field_sources: {},
    created_at,
    updated_at,
    first_seen: created_at,
    last_seen_at: updated_at,
  }
}
