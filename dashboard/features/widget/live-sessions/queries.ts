import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { browserSessions, mayWatchSessions } from '#contract/widget/live-sessions.ts'
import { isStorytimeEnabled } from '../../../platform/environment.ts'
import { call } from '../../../platform/http/api.ts'
import { useTeam } from '../../accounts/accounts/account.ts'
import { sessionKeys } from './keys.ts'

/** How many sessions of a customer are shown. */
const OF_CUSTOMER = 5
const REFRESH_MS = 30_000

/** The sessions with these ids. Those that no longer exist are missing. */
export function severalSessionsQuery(ids: readonly string[]) {
  return queryOptions({
    queryKey: sessionKeys.several(ids),
    queryFn: async ({ signal }) =>
      (await call(browserSessions.list, { query: { ids: [...ids], limit: ids.length }, signal })).data,
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  })
}

/** One session with its customer. */
export function sessionQuery(id: string) {
  return queryOptions({
    queryKey: sessionKeys.detail(id),
    queryFn: async ({ signal }) => (await call(browserSessions.get, { params: { id }, signal })).data,
    refetchOnMount: 'always',
  })
}

/** The customer's running sessions, most recently updated first. */
export function sessionsOfCustomerQuery(customer_id: string) {
  return queryOptions({
    queryKey: sessionKeys.ofCustomer(customer_id),
    queryFn: async ({ signal }) =>
      (await call(browserSessions.list, { query: { customer_id, active: true, limit: OF_CUSTOMER }, signal })).data,
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
  })
}

/** The latest recorded session, or null where Storytime is not set up. */
export const newestSessionQuery = queryOptions({
  queryKey: sessionKeys.newest,
  queryFn: async ({ signal }) => (await call(browserSessions.list, { query: { limit: 1 }, signal })).data[0] ?? null,
  refetchOnMount: 'always',
})

/** Whether the user may watch sessions. False where the installation has no live sessions. */
export function useMayWatch(): boolean {
  const { me, account } = useTeam()
  return isStorytimeEnabled() && mayWatchSessions(me.role, account.settings)
}
